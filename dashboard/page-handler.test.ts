import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPageFiles } from './page-files.ts'
import { createPageHandler } from './page-handler.ts'
import { createPageHeaders } from './page-headers.ts'

const SCRIPT = 'export const page = 1\n'.repeat(100)

/** A browser that goes to an address. */
const VISIT = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

function send(origin: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  // A path as it is: fetch would resolve dots.
  const { hostname, port } = new URL(origin)
  request({ hostname, port, path, method, headers, agent: false }, async response => {
    const body = Buffer.concat(await response.toArray())
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
  })
    .on('error', reject)
    .end()
  return promise
}

describe('the page', () => {
  let folder: string
  let origin: string
  let close: () => void

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nuvion-page-'))
    await mkdir(join(folder, 'dist', 'assets'), { recursive: true })
    await writeFile(join(folder, 'secret.html'), 'secret')
    const write = (name: string, content: string | Buffer) => writeFile(join(folder, 'dist', name), content)
    await write('index.html', '<!doctype html>the page')
    await write('icon.svg', '<svg/>')
    await write('.built-of', 'hash')
    await write('assets/main-1.js', SCRIPT)
    await write('assets/main-1.js.gz', gzipSync(SCRIPT))
    const files = await readPageFiles(join(folder, 'dist'))
    const server = createServer(
      createPageHandler({ files, headers: createPageHeaders(['https://clips.example']) }).handleRequest,
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = () => server.close()
  })

  afterAll(async () => {
    close()
    await rm(folder, { recursive: true })
  })

  it.each(['/', '/index.html', '/spaces/1/board', '/sign-in?next=%2F', '/graphqlish'])(
    'stands at %s for who goes there',
    async path => {
      const { status, headers, body } = await send(origin, path, VISIT)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers['cache-control']).toBe('no-cache')
      expect(String(body)).toContain('the page')
    },
  )

  it.each([
    '/graphql',
    '/stomp/info',
    '/clips/a',
    '/exports/b',
    '/.well-known/x',
    '/metrics',
    '/assets/gone.js',
  ])('does not stand in for %s', async path => {
    expect((await send(origin, path, VISIT)).status).toBe(404)
  })

  it('is not found by what is no person', async () => {
    expect((await send(origin, '/spaces', { accept: 'application/json' })).status).toBe(404)
    expect((await send(origin, '/spaces')).status).toBe(404)
    expect((await send(origin, '/spaces', VISIT, 'POST')).status).toBe(405)
    expect((await send(origin, '/nowhere', {}, 'POST')).status).toBe(404)
    expect((await send(origin, '/', {}, 'DELETE')).headers.allow).toBe('GET, HEAD')
  })

  it.each([
    '/../secret.html',
    '/assets/../../secret.html',
    '/%2e%2e/secret.html',
    '/.built-of',
    '//secret.html',
  ])('gives nothing away at %s', async path => {
    const { status, body } = await send(origin, path)
    expect([status, String(body)]).toEqual([404, 'Not found\n'])
  })

  it('sends a file as small as the client takes it, and for good when its name says what is in it', async () => {
    const path = '/assets/main-1.js'
    const plain = await send(origin, path)
    expect(String(plain.body)).toBe(SCRIPT)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    const small = await send(origin, path, { 'accept-encoding': 'gzip, deflate, br' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(String(gunzipSync(small.body))).toBe(SCRIPT)
    const refused = await send(origin, path, { 'accept-encoding': 'gzip;q=0, *' })
    expect(refused.headers['content-encoding']).toBeUndefined()
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    const head = await send(origin, path, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.headers['content-length'], head.body.length]).toEqual([String(small.body.length), 0])
    expect(() => brotliDecompressSync(small.body)).toThrow()
  })

  it('says when nothing has changed', async () => {
    const { headers } = await send(origin, '/', VISIT)
    const again = await send(origin, '/', { ...VISIT, 'if-none-match': `"other", W/${headers.etag}` })
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    expect((await send(origin, '/', { ...VISIT, 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('lets nothing in that is not its own, with every answer', async () => {
    for (const path of ['/', '/nowhere', '/icon.svg']) {
      const { headers } = await send(origin, path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("media-src 'self' https://clips.example blob:")
      expect(policy).not.toMatch(/unsafe|\*/)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    }
  })

  it('says how to build it where it has not been built', async () => {
    const files = await readPageFiles(join(folder, 'nowhere'))
    const server = createServer(createPageHandler({ files, headers: {} }).handleRequest).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const { status, body } = await send(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      '/',
      VISIT,
    )
    server.close()
    expect(status).toBe(503)
    expect(String(body)).toContain('npm run setup')
  })
})
