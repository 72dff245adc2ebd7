import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { INTERNAL_HEADER, openInternalCredential } from '../subgraphs/shared/auth/internal-credential.ts'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { createRoleProxy } from './role-proxy.ts'

const SECRET = 'a secret of the site, of 32 characters'
const logger = createLogger({ level: 'silent', role: 'test' })

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A role and the proxy before it. */
async function start(role: RequestListener, { idleMs }: { idleMs?: number } = {}) {
  const upstream = await listen(role)
  const { handleRequest } = createRoleProxy({
    name: 'reports',
    url: upstream.url,
    secret: SECRET,
    logger,
    idleMs,
  })
  const front = await listen((request, response) => handleRequest(request, response))
  return {
    url: front.url,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

async function begin(url: string): Promise<IncomingMessage> {
  const request = get(url)
  request.on('error', () => {})
  const [response] = await once(request, 'response')
  response.on('error', () => {})
  return response
}

describe('the proxy of a role', () => {
  it('passes request and answer on, with a credential, without what is for one connection or for the gateway', async () => {
    let seen: IncomingMessage | undefined
    await using site = await start(async (request, response) => {
      seen = request
      const body = await request.toArray()
      response.writeHead(201, { 'x-own': 'yes', 'keep-alive': 'timeout=7' }).end(Buffer.concat(body))
    })
    const response = await fetch(`${site.url}/exports/a.b?c=%20d`, {
      method: 'PUT',
      body: 'héllo',
      headers: { cookie: 'a=b', authorization: 'Bearer x', 'x-other': '1', [INTERNAL_HEADER]: 'forged' },
    })
    expect([response.status, await response.text(), response.headers.get('x-own')]).toEqual([
      201,
      'héllo',
      'yes',
    ])
    expect(response.headers.get('keep-alive')).not.toBe('timeout=7')
    expect([seen?.method, seen?.url, seen?.headers['x-other']]).toEqual(['PUT', '/exports/a.b?c=%20d', '1'])
    expect([seen?.headers.cookie, seen?.headers.authorization]).toEqual([undefined, undefined])
    expect(openInternalCredential(SECRET, String(seen?.headers[INTERNAL_HEADER]))).toMatchObject({
      viewer: null,
    })
  })

  it('answers HEAD and refusals as they are', async () => {
    await using site = await start((request, response) => {
      response.writeHead(request.method === 'HEAD' ? 200 : 403, { 'x-estimated-rows': '7' }).end('no')
    })
    const head = await fetch(site.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('x-estimated-rows'), await head.text()]).toEqual([200, '7', ''])
    expect((await fetch(site.url)).status).toBe(403)
  })

  it('holds the role back where the client takes nothing, and passes all of it', async () => {
    const piece = 'x'.repeat(65_536)
    let written = 0
    await using site = await start(async (_, response) => {
      for (; written < 600; written++) if (!response.write(piece)) await once(response, 'drain')
      response.end()
    })
    const response = await begin(site.url)
    let last = -1
    await waitFor(() => {
      const isStill = written > 0 && written === last
      last = written
      return isStill
    })
    expect(written).toBeLessThan(600)
    let bytes = 0
    for await (const chunk of response) bytes += chunk.length
    expect(bytes).toBe(600 * 65_536)
  })

  it('breaks off what breaks off at the role', async () => {
    await using site = await start((_, response) => {
      response.write('half')
      setImmediate(() => response.destroy())
    })
    await expect(fetch(site.url).then(response => response.text())).rejects.toThrow()
  })

  it('resets the connection of HTTP/1.0, whose end would be the end of the answer', async () => {
    let end = () => {}
    await using site = await start((_, response) => {
      response.write('half')
      end = () => response.destroy()
    })
    const { hostname, port } = new URL(site.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET / HTTP/1.0\r\n\r\n')
    const errors: NodeJS.ErrnoException[] = []
    socket.on('error', error => errors.push(error))
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    await waitFor(() => text.endsWith('half'))
    end()
    await waitFor(() => errors[0]?.code === 'ECONNRESET')
  })

  it('ends the request when the client goes', async () => {
    let isClosed = false
    await using site = await start((_, response) => {
      response.once('close', () => {
        isClosed = true
      })
      response.write('begun')
    })
    const response = await begin(site.url)
    response.destroy()
    await waitFor(() => isClosed)
  })

  it('gives up where nothing moves', async () => {
    await using site = await start(() => {}, { idleMs: 100 })
    expect((await fetch(site.url)).status).toBe(503)
    await using half = await start((_, response) => void response.write('begun'), { idleMs: 100 })
    await expect(fetch(half.url).then(response => response.text())).rejects.toThrow()
  })

  it('says that a role that is away cannot answer', async () => {
    const { url, ...gone } = await listen(() => {})
    await gone[Symbol.asyncDispose]()
    const { handleRequest } = createRoleProxy({ name: 'reports', url, secret: SECRET, logger })
    await using front = await listen((request, response) => handleRequest(request, response))
    const response = await fetch(front.url)
    expect([response.status, await response.text()]).toEqual([
      503,
      'The reports service cannot answer now. Try again.\n',
    ])
  })
})
