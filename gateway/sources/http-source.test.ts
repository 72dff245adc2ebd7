import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { INTERNAL_HEADER, openInternalCredential } from '../../subgraphs/shared/auth/internal-credential.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { createGatewayContext } from '../gateway-context.ts'
import { createHttpSource } from './http-source.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const SECRET = 'site-secret'
const viewer = { kind: 'user', userId: 'u', sessionId: 's', expiresAt: 1 } as const

async function startPeer(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const source = createHttpSource({
    name: 'peer',
    url: `http://127.0.0.1:${port}/graphql`,
    secret: SECRET,
    logger,
    deadlineMs: 100,
    maxResponseBytes: 1_000,
  })
  return {
    server,
    ask: (query = '{ a b: c }') =>
      source.fetch({ query }, createGatewayContext(viewer, 'request-1', new AbortController().signal)),
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      server.close()
      server.closeAllConnections()
    },
  }
}

const UNAVAILABLE = {
  data: null,
  errors: [
    expect.objectContaining({ path: ['a'], extensions: { code: 'UNAVAILABLE' } }),
    expect.objectContaining({ path: ['b'], extensions: { code: 'UNAVAILABLE' } }),
  ],
}

test('a fetch carries the request id and the claims of the viewer, over a kept connection', async () => {
  const ports = new Set<number | undefined>()
  await using peer = await startPeer((request, response) => {
    ports.add(request.socket.remotePort)
    const claims = openInternalCredential(SECRET, String(request.headers[INTERNAL_HEADER]))
    response.end(JSON.stringify({ data: { claims, id: request.headers['x-request-id'] } }))
  })
  await peer.ask()
  expect(await peer.ask()).toEqual({ data: { claims: { viewer, requestId: 'request-1' }, id: 'request-1' } })
  expect(ports.size).toBe(1)
})

test.each<[string, RequestListener]>([
  ['never answers', () => {}],
  ['answers too much', (_, response) => void response.end(JSON.stringify({ data: 'x'.repeat(2_000) }))],
  ['answers no JSON', (_, response) => void response.end('<html>')],
  ['answers another status', (_, response) => void response.writeHead(401).end('{}')],
  [
    'breaks off',
    (_, response) =>
      void response.writeHead(200, { 'content-length': 10 }).write('{}', () => response.destroy()),
  ],
])('a subgraph that %s is UNAVAILABLE at each root field', async (_, listener) => {
  await using peer = await startPeer(listener)
  expect(await peer.ask()).toEqual(UNAVAILABLE)
})

test('a kept connection that was closed meanwhile is tried once more for a query, and never for a mutation', async () => {
  let requests = 0
  await using peer = await startPeer((request, response) => {
    requests++
    if (requests % 2 === 0) request.socket.destroy()
    else response.end(JSON.stringify({ data: { n: requests } }))
  })
  await peer.ask()
  expect(await peer.ask()).toEqual({ data: { n: 3 } })
  expect(await peer.ask('mutation { a b: c }')).toEqual(UNAVAILABLE)
  expect(requests).toBe(4)
})
