import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../logger.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { createFileHttp } from './file-http.ts'
import { createFileLinks } from './file-links.ts'
import { createFileStorage, type FileStorage } from './file-storage.ts'
import type { UploadLimits } from './file-upload.ts'

const links = createFileLinks('a secret of the site, long enough')
const body = Buffer.from('bytes of a clip')
let dir: string
let storage: FileStorage
let server: Server
let origin: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nuvion-files-'))
  await listen({})
})
afterEach(async () => {
  await close()
  await rm(dir, { recursive: true })
})

async function listen(limits: Partial<UploadLimits>): Promise<void> {
  storage = createFileStorage({ dir, links, origin: () => origin })
  const logger = createLogger({ level: 'silent', role: 'test' })
  server = createServer(createFileHttp({ storage, links, logger, limits: { minFreeBytes: 0, ...limits } }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(): Promise<void> {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
}

const newKey = () => `incoming/${newId()}/${newId()}`
const grant = (key: string, sizeBytes = body.length) => ({
  ...{ key, sizeBytes, contentType: 'video/mp4', expiresInMs: 60_000 },
})
const unfinished = () => readdir(join(dir, 'unfinished')).catch(() => [])

async function stored(): Promise<string> {
  const key = newKey()
  await storage.put(key, 'video/mp4', body)
  return storage.presignGet(grant(key))
}

/** Begins an upload and answers what comes of it. */
function begin(key: string, bytes: Buffer, sizeBytes = bytes.length) {
  const { url, headers } = storage.presignPut(grant(key, sizeBytes))
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | Error>()
  const upload = request(url, { method: 'PUT', headers, agent: false }, answer => resolve(answer.resume()))
  upload.on('error', resolve)
  upload.write(bytes)
  return { upload, answer: promise }
}

async function statusOf(answer: Promise<IncomingMessage | Error>): Promise<number | undefined> {
  const come = await answer
  return come instanceof Error ? undefined : come.statusCode
}

describe('a file by its link', () => {
  it('can be played on pages of the same site, and runs nothing', async () => {
    const { headers } = await fetch(await stored())
    expect(Object.fromEntries(headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(body.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'video/mp4',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })

  it('is described by HEAD without its bytes', async () => {
    const url = await stored()
    const head = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', ''])
  })

  it.each([
    ['bytes=0-1,3-4'],
    [`bytes=${Array.from({ length: 500 }, (_, i) => `${i}-${i}`).join()}`],
    ['bytes=15-'],
    ['bytes=-0'],
    [`bytes=${'9'.repeat(400)}-`],
  ])('refuses ranges it cannot or will not answer: %.40s', async range => {
    const answer = await fetch(await stored(), { headers: { range } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */15'])
  })

  it.each(['bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0x1-2'])(
    'is whole where Range is no range: %s',
    async range => {
      const answer = await fetch(await stored(), { headers: { range } })
      expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, body])
    },
  )

  it('answers a range of what the reader has begun, and the whole of what has changed since', async () => {
    const url = await stored()
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const status = async (headers: Record<string, string>) => (await fetch(url, { headers })).status
    expect(await status({ range: 'bytes=0-1', 'if-range': etag })).toBe(206)
    expect(await status({ range: 'bytes=0-1', 'if-range': '"other"' })).toBe(200)
    expect(await status({ 'if-none-match': `"other", ${etag}` })).toBe(304)
    expect(await status({ 'if-none-match': '"other"' })).toBe(200)
  })

  it('is for the methods it was signed for', async () => {
    const url = await stored()
    for (const method of ['POST', 'DELETE', 'OPTIONS'])
      expect((await fetch(url, { method })).status, method).toBe(405)
    expect((await fetch(storage.presignPut(grant(newKey())).url)).status).toBe(403)
  })
})

describe('an upload by its link', () => {
  it('is closed when its sender goes silent, and leaves nothing', async () => {
    await close()
    await listen({ idleDeadlineMs: 100 })
    const key = newKey()
    const { answer } = begin(key, body.subarray(0, 3), body.length)
    expect(await answer).toBeInstanceOf(Error)
    await waitFor(async () => (await unfinished()).length === 0)
    expect(await storage.stat(key)).toBe(null)
  })

  it('is closed when its sender keeps dripping', async () => {
    await close()
    await listen({ idleDeadlineMs: 300, minBytesPerSecond: 1_000_000 })
    const { upload, answer } = begin(newKey(), Buffer.from('x'), 1_000)
    const dripping = setInterval(() => upload.write('x'), 50)
    expect(await answer).toBeInstanceOf(Error)
    clearInterval(dripping)
    await waitFor(async () => (await unfinished()).length === 0)
  })

  it('is one of few at a time', async () => {
    await close()
    await listen({ maxUploads: 2 })
    const first = [begin(newKey(), body.subarray(0, 3), 15), begin(newKey(), body.subarray(0, 3), 15)]
    await waitFor(async () => (await unfinished()).length === 2)
    const refused = await begin(newKey(), body).answer
    expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    for (const { upload } of first) upload.end(body.subarray(3))
    expect(await Promise.all(first.map(one => statusOf(one.answer)))).toEqual([204, 204])
    expect(await statusOf(begin(newKey(), body).answer)).toBe(204)
  })

  it('is refused with 507 where the disk has no room, and leaves nothing', async () => {
    await close()
    await listen({ minFreeBytes: 2 ** 60 })
    expect(await statusOf(begin(newKey(), body).answer)).toBe(507)
    expect(await unfinished()).toEqual([])
  })

  it('is refused before its body where its length is not the signed one', async () => {
    const { url, headers } = storage.presignPut(grant(newKey()))
    const huge = request(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': 2 ** 40 },
      agent: false,
    })
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    huge.on('response', resolve).on('error', reject)
    huge.write('x')
    expect((await promise).statusCode).toBe(413)
    huge.destroy()
  })

  it('replaces what the same link has stored before', async () => {
    const key = newKey()
    expect(await statusOf(begin(key, body).answer)).toBe(204)
    const before = await storage.stat(key)
    const others = Buffer.from('other bytes: 15')
    expect(await statusOf(begin(key, others).answer)).toBe(204)
    expect((await storage.stat(key))?.etag).not.toBe(before?.etag)
    expect(await (await fetch(storage.presignGet(grant(key)))).text()).toBe('other bytes: 15')
  })

  it('is kept from others of the machine', async () => {
    const key = newKey()
    expect(await statusOf(begin(key, body).answer)).toBe(204)
    expect((await stat(storage.pathOf(key))).mode & 0o077).toBe(0)
  })
})

describe('unfinished files', () => {
  it('are deleted once nobody has written to them for long', async () => {
    const temporary = await storage.makeTemporary()
    await writeFile(temporary, 'x')
    expect(await storage.deleteTemporaryBefore(Date.now() - 60_000)).toBe(0)
    expect(await storage.deleteTemporaryBefore(Date.now() + 60_000)).toBe(1)
    expect(await unfinished()).toEqual([])
  })
})
