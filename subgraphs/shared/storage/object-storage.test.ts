import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../logger.ts'
import { findS3Server, startS3Server } from '../testkit/s3-server.ts'
import { newId } from '../uuid-v7.ts'
import { createFileHttp } from './file-http.ts'
import { createFileLinks } from './file-links.ts'
import { createFileStorage } from './file-storage.ts'
import type { ObjectStorage } from './object-storage.ts'
import { createS3Storage } from './s3-storage.ts'

const MP4 = 'video/mp4'
const LIFE_MS = 60_000

interface Opened extends AsyncDisposable {
  readonly storage: ObjectStorage
  /** The same storage, whose clock stands there (epoch milliseconds). */
  at(now: number): ObjectStorage
}

async function openFiles(): Promise<Opened> {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-files-'))
  const links = createFileLinks('a secret of the site, long enough')
  let origin = ''
  const create = (now?: () => number) => createFileStorage({ dir, links, origin: () => origin, now })
  const logger = createLogger({ level: 'silent', role: 'test' })
  const limits = { minFreeBytes: 0 }
  const server = createServer(createFileHttp({ storage: create(), links, logger, limits }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    storage: create(),
    at: now => create(() => now),
    async [Symbol.asyncDispose]() {
      // Nothing that was refused has left anything behind.
      expect(await readdir(join(dir, 'unfinished')).catch(() => [])).toEqual([])
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await rm(dir, { recursive: true })
    },
  }
}

async function openS3(program: string): Promise<Opened> {
  const server = await startS3Server(program)
  return {
    storage: createS3Storage(server.bucket),
    at: now => createS3Storage({ ...server.bucket, now: () => now }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const s3Program = await findS3Server()
const implementations = [
  { name: 'in files', open: openFiles },
  ...(s3Program === null ? [] : [{ name: 'on an S3 server', open: () => openS3(s3Program) }]),
]

/** Sends a request as it is given; fetch mends too much. */
function send(
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>()
  const asked = request(url, { method, headers, agent: false }, response => {
    const chunks: Buffer[] = []
    response
      .on('data', chunk => chunks.push(chunk))
      .on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
      .on('error', reject)
  })
  asked.on('error', reject)
  asked.end(body)
  return promise
}

describe.each(implementations)('object storage $name', ({ open }) => {
  let opened: Opened
  let storage: ObjectStorage
  beforeAll(async () => {
    opened = await open()
    storage = opened.storage
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  const newKey = (kind = 'incoming') => `${kind}/${newId()}/${newId()}`
  const body = Buffer.from('bytes of a clip')
  const grant = (key: string, sizeBytes = body.length) => ({
    ...{ key, sizeBytes, contentType: MP4, expiresInMs: LIFE_MS },
  })
  const read = (key: string, headers: Record<string, string> = {}, contentType = MP4) =>
    send('GET', storage.presignGet({ key, contentType, expiresInMs: LIFE_MS }), { headers })

  async function upload(key: string, bytes = body): Promise<number> {
    const { url, headers } = storage.presignPut(grant(key, bytes.length))
    return (await send('PUT', url, { headers, body: bytes })).status
  }

  async function expectRefused(answer: Promise<{ status: number }>, key: string): Promise<void> {
    const { status } = await answer
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(await storage.stat(key)).toBe(null)
  }

  it('takes an upload by its link and gives it back by another, of the type that this one says', async () => {
    const key = newKey()
    expect(await upload(key)).toBeLessThan(300)
    expect((await storage.stat(key))?.sizeBytes).toBe(body.length)
    const answer = await read(key, {}, 'video/webm')
    expect(answer).toMatchObject({ status: 200, body })
    expect(answer.headers).toMatchObject({
      'content-type': 'video/webm',
      'content-disposition': 'inline',
      'cache-control': expect.stringMatching(/^private, max-age=(59|60)$/),
    })
  })

  it('takes an empty object', async () => {
    const key = newKey('media')
    await storage.put(key, MP4, Buffer.alloc(0))
    expect((await storage.stat(key))?.sizeBytes).toBe(0)
  })

  it('refuses an upload of another type', async () => {
    const key = newKey()
    const { url, headers } = storage.presignPut(grant(key))
    for (const type of ['text/html', 'video/mp4; codecs=x'])
      await expectRefused(send('PUT', url, { headers: { ...headers, 'content-type': type }, body }), key)
    const { 'content-type': _, ...without } = headers
    await expectRefused(send('PUT', url, { headers: without, body }), key)
  })

  it('refuses an upload that is longer or shorter than signed, or does not say', async () => {
    const key = newKey()
    const { url, headers } = storage.presignPut(grant(key))
    for (const bytes of [Buffer.concat([body, body]), body.subarray(1), Buffer.alloc(0)])
      await expectRefused(
        send('PUT', url, { headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes }),
        key,
      )
    const { 'content-length': _, ...without } = headers
    await expectRefused(
      send('PUT', url, { headers: { ...without, 'transfer-encoding': 'chunked' }, body }),
      key,
    )
  })

  it('keeps nothing of an upload that breaks off', async () => {
    const key = newKey()
    const { url, headers } = storage.presignPut(grant(key))
    const asked = request(url, { method: 'PUT', headers, agent: false })
    asked.on('error', () => {})
    await new Promise(resolve => asked.write(body.subarray(0, 4), resolve))
    asked.destroy()
    expect(await storage.stat(key)).toBe(null)
    expect(await upload(key)).toBeLessThan(300)
  })

  it('refuses links that have expired', async () => {
    const key = newKey()
    await storage.put(key, MP4, body)
    const past = opened.at(Date.now() - 2 * LIFE_MS)
    expect((await send('GET', past.presignGet(grant(key)))).status).toBe(403)
    const other = newKey()
    const { url, headers } = past.presignPut(grant(other))
    await expectRefused(send('PUT', url, { headers, body }), other)
  })

  it('refuses a link when anything of it was changed', async () => {
    const [key, other] = [newKey(), newKey()]
    await storage.put(other, MP4, body)
    const { url, headers } = storage.presignPut(grant(key))
    await expectRefused(send('PUT', url.replace(key, newKey()), { headers, body }), key)
    const get = storage.presignGet(grant(key))
    expect((await send('GET', get.replace(key, other))).status).toBe(403)
    expect((await send('DELETE', get.replace(key, other))).status).toBeGreaterThanOrEqual(400)
    const changedBody = Buffer.from('other bytes, 15')
    const byGet = send('PUT', storage.presignGet(grant(other)), { headers, body: changedBody })
    expect((await byGet).status).toBe(403)
    for (const [name, value] of new URL(url).searchParams) {
      const changed = new URL(url)
      changed.searchParams.set(name, value.endsWith('1') ? `${value}2` : `${value.slice(0, -1)}1`)
      await expectRefused(send('PUT', changed.href, { headers, body }), key)
      changed.searchParams.delete(name)
      await expectRefused(send('PUT', changed.href, { headers, body }), key)
    }
    expect((await read(other)).body).toEqual(body)
  })

  it.each(['../', '%2e%2e/', '%2e%2e%2f', '..%5c', '\\..\\', '%00', './', '/'])(
    'leads nowhere else by %j in the path',
    async inserted => {
      const key = newKey()
      const { url, headers } = storage.presignPut(grant(key))
      for (const at of [key, key.slice(key.indexOf('/') + 1), key.slice(key.lastIndexOf('/') + 1)]) {
        const hostile = url.replace(at, `${inserted}${at}`)
        const { host, hostname, port } = new URL(url)
        const path = hostile.slice(hostile.indexOf(host) + host.length)
        const options = { method: 'PUT', host: hostname, port, path, headers, agent: false }
        const { promise, resolve, reject } = Promise.withResolvers<number>()
        request(options, response => resolve(response.resume().statusCode ?? 0))
          .on('error', reject)
          .end(body)
        expect(await promise).toBeGreaterThanOrEqual(400)
      }
      expect(await storage.stat(key)).toBe(null)
    },
  )

  it('refuses keys that are not made of ids, before anything is asked', () => {
    for (const key of [
      '',
      'media',
      `media/${newId()}`,
      '../x',
      `media/../${newId()}`,
      `media/${newId()}/a`,
    ]) {
      expect(() => storage.presignGet(grant(key))).toThrow(TypeError)
      expect(() => storage.presignPut(grant(key))).toThrow(TypeError)
      expect(() => storage.sourceOf(key, LIFE_MS)).toThrow(TypeError)
    }
  })

  it('answers single ranges, however huge, and 416 behind the end', async () => {
    const key = newKey()
    await storage.put(key, MP4, body)
    const first = await read(key, { range: 'bytes=0-4' })
    expect(first).toMatchObject({ status: 206, body: body.subarray(0, 5) })
    expect(first.headers['content-range']).toBe(`bytes 0-4/${body.length}`)
    expect(await read(key, { range: 'bytes=6-' })).toMatchObject({ status: 206, body: body.subarray(6) })
    expect(await read(key, { range: 'bytes=-4' })).toMatchObject({ status: 206, body: body.subarray(-4) })
    expect(await read(key, { range: 'bytes=6-999999999999' })).toMatchObject({
      status: 206,
      body: body.subarray(6),
    })
    expect((await read(key, { range: `bytes=${body.length}-` })).status).toBe(416)
    expect((await read(key, { range: 'bytes=9007199254740991-' })).status).toBe(416)
  })

  it('answers 404 for what is not there', async () => {
    expect((await read(newKey())).status).toBe(404)
    expect(await storage.stat(newKey())).toBe(null)
    expect(await storage.readStart(newKey(), '"x"', 10)).toBe(null)
    expect(await storage.move(newKey(), newKey(), '"x"')).toBe(false)
  })

  it('moves the bytes that were looked at, and no others', async () => {
    const [from, to] = [newKey(), newKey('media')]
    await upload(from)
    const seen = await storage.stat(from)
    const etag = seen?.etag ?? ''
    expect(await storage.readStart(from, etag, 5)).toEqual(body.subarray(0, 5))
    expect(await storage.readStart(from, etag, 500)).toEqual(body)
    expect(await upload(from, Buffer.from('other bytes'))).toBeLessThan(300)
    expect(await storage.readStart(from, etag, 5)).toBe(null)
    expect(await storage.move(from, to, etag)).toBe(false)
    expect(await storage.stat(to)).toBe(null)
    const now = await storage.stat(from)
    expect(await storage.move(from, to, now?.etag ?? '')).toBe(true)
    expect([await storage.stat(from), (await read(to)).body.toString()]).toEqual([null, 'other bytes'])
  })

  it('leaves what was moved as it is when its upload link is used again', async () => {
    const [from, to] = [newKey(), newKey('media')]
    await upload(from)
    await storage.move(from, to, (await storage.stat(from))?.etag ?? '')
    expect(await upload(from, Buffer.from('something else!'))).toBeLessThan(300)
    expect((await read(to)).body).toEqual(body)
  })

  it('deletes, also what is not there', async () => {
    const keys = Array.from({ length: 20 }, () => newKey('posters'))
    for (const key of keys) await storage.put(key, MP4, body)
    await storage.delete([...keys, newKey()])
    expect(await Promise.all(keys.map(key => storage.stat(key)))).toEqual(keys.map(() => null))
  })

  it('lists by prefix, in pages', async () => {
    const before = Date.now() - 2_000
    const keys = Array.from({ length: 7 }, () => newKey('listed')).sort()
    for (const key of keys) await storage.put(key, MP4, body)
    await storage.put(newKey('listedtoo'), MP4, body)
    const found: string[] = []
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<ObjectStorage['list']>> = await storage.list('listed', after, 3)
      for (const { key, modifiedAt } of page) {
        found.push(key)
        expect(modifiedAt).toBeGreaterThan(before)
      }
      if (page.length < 3) break
      after = page.at(-1)?.key ?? null
    }
    expect(found).toEqual(keys)
    expect(await storage.list('nothing', null, 3)).toEqual([])
  })
})
