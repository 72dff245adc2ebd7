import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { INTERNAL_HEADER, INTERNAL_LIFETIME_MS, sealInternalCredential } from '../auth/internal-credential.ts'
import { createLogger } from '../logger.ts'
import { withCursor } from './event-cursor.ts'
import type { SubgraphRequest } from './subgraph.ts'
import { createSubgraphServer } from './subgraph-server.ts'

const SECRET = 'site-secret'
const viewer = { kind: 'user', userId: 'ann', sessionId: 's', expiresAt: 0 } as const
const seal = (secret = SECRET, now?: number) =>
  sealInternalCredential(secret, { viewer, requestId: 'r1' }, now)

const subgraph = createSubgraphServer({
  secret: SECRET,
  logger: createLogger({ level: 'silent', role: 'test' }),
  subgraph: {
    name: 'clock',
    schema: buildSubgraphSchema([
      {
        typeDefs: parse('type Query { who: String } type Subscription { tick: Int }'),
        resolvers: {
          Query: {
            who: (_: unknown, _args: unknown, { viewer }: SubgraphRequest) =>
              viewer?.kind === 'user' ? viewer.userId : null,
          },
          Subscription: {
            tick: {
              async *subscribe() {
                yield withCursor({ tick: 1 }, 'c1')
                yield { tick: 2 }
              },
            },
          },
        },
      },
    ]),
    createContext: request => request,
  },
})
const server = createServer(subgraph.handleRequest).on('upgrade', subgraph.handleUpgrade)
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
})

afterAll(async () => {
  await subgraph[Symbol.asyncDispose]()
  server.close()
})

const ask = (headers: Record<string, string>, body = '{"query":"{ who }"}') =>
  fetch(url, { method: 'POST', headers, body })

test.each<[string, Record<string, string>]>([
  ['no credential', {}],
  ['an access token alone', { authorization: 'Bearer x' }],
  ['a credential of another site', { [INTERNAL_HEADER]: seal('other') }],
  ['an expired credential', { [INTERNAL_HEADER]: seal(SECRET, Date.now() - INTERNAL_LIFETIME_MS - 1) }],
  ['garbage', { [INTERNAL_HEADER]: 'a.b.c' }],
])('a request with %s is 401', async (_, headers) => {
  const response = await ask(headers)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
})

test('with a credential the viewer is whom it names', async () => {
  const response = await ask({ [INTERNAL_HEADER]: seal() })
  expect(await response.json()).toEqual({ data: { who: 'ann' } })
})

test('a body without a query is 400', async () => {
  expect((await ask({ [INTERNAL_HEADER]: seal() }, 'no json')).status).toBe(400)
  expect((await ask({ [INTERNAL_HEADER]: seal() }, '{}')).status).toBe(400)
})

test('a socket without a credential is closed with 4403', async () => {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws')
  socket.once('open', () => socket.send('{"type":"connection_init"}'))
  const [code] = await once(socket, 'close')
  expect(code).toBe(4403)
})

test('a subscription needs a credential of its own, opens with a mark, and its events carry their cursor', async () => {
  const client = createClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: () => ({ internal: seal() }),
    retryAttempts: 0,
  })
  const query = 'subscription { tick }'
  const events: unknown[] = []
  for await (const event of client.iterate({ query, extensions: { internal: seal() } })) events.push(event)
  expect(events).toEqual([
    { extensions: { isMark: true } },
    { data: { tick: 1 }, extensions: { cursor: 'c1' } },
    { data: { tick: 2 } },
  ])
  await expect(client.iterate({ query }).next()).rejects.toMatchObject([
    { extensions: { code: 'UNAUTHENTICATED' } },
  ])
  await client.dispose()
})
