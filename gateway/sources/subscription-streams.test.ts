import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { createMark, openingWithMark, withCursor } from '../../subgraphs/shared/graphql/event-cursor.ts'
import type { Subgraph, SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import { createSubgraphServer } from '../../subgraphs/shared/graphql/subgraph-server.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { takeAll } from '../../subgraphs/shared/testkit/take-all.ts'
import { createHttpSource } from './http-source.ts'
import { createInProcessSource } from './in-process-source.ts'
import type { SubgraphSource } from './subgraph-source.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const request: SubgraphRequest = {
  viewer: { kind: 'user', userId: 'ann', sessionId: 's', expiresAt: 1 },
  requestId: 'request-1',
  grant: { spaceId: 'factory', role: 'ADMIN' },
  start: { after: '1-0.3', isReplay: true },
}

/** Tells in its one event for which request it was opened. */
const subgraph: Subgraph = {
  name: 'echo',
  schema: buildSubgraphSchema([
    {
      typeDefs: parse('type Query { now: Int } type Subscription { asked: String  refused: String }'),
      resolvers: {
        Subscription: {
          asked: {
            subscribe: (_: unknown, _args: unknown, context: SubgraphRequest) =>
              openingWithMark(
                (async function* () {
                  yield createMark('1-0.3', false)
                  yield withCursor({ asked: JSON.stringify(context) }, '2-0.0')
                  yield createMark('5-0.99', true)
                })(),
              ),
          },
        },
      },
    },
  ]),
  createContext: context => context,
}

async function openRemote(): Promise<SubgraphSource> {
  const secret = 'site-secret'
  const peer = createSubgraphServer({ subgraph, secret, logger })
  const server = createServer(peer.handleRequest).on('upgrade', peer.handleUpgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const source = createHttpSource({ name: 'echo', url, secret, logger })
  return {
    ...source,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
      server.close()
    },
  }
}

test.each([
  ['in this process', async () => createInProcessSource(subgraph, { logger })],
  ['of another role', openRemote],
])('a subgraph %s is told all of the request, and its marks come as they are', async (_, open) => {
  await using source = await open()
  const stream = await source.subscribe({ query: 'subscription { asked }' }, () => request)
  const results = await takeAll(stream)
  expect(results).toEqual([
    { extensions: { cursor: '1-0.3', isMark: true } },
    { data: { asked: expect.any(String) }, extensions: { cursor: '2-0.0' } },
    { extensions: { cursor: '5-0.99', isMark: true, isGap: true } },
  ])
  expect(JSON.parse(String(results[1]?.data?.asked))).toEqual(request)
  const refused = await source.subscribe({ query: 'subscription { unknown }' }, () => request)
  expect(await takeAll(refused)).toEqual([
    { errors: [expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT' } })] },
  ])
})
