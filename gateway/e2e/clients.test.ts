import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { subscriptionExchange, Client as UrqlClient } from '@urql/core'
import { createClient, type Client as WsClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type FollowedOn, followOn } from '../../subgraphs/shared/testkit/follow-on.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase, type TestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

const FOLLOW =
  'subscription ($spaceId: ID!) { logAdded(spaceId: $spaceId) { id message device { id name } } }'

interface Added {
  logAdded: { id: string }
}

/** What a client library told of a message. */
interface Told {
  readonly id: string
  readonly cursor: string
}

/** Follows with a library; answers what lets go. */
type Follow = (client: WsClient, resumeAfter: string | undefined, told: (message: Told) => void) => () => void

const toTold = (data: unknown, extensions: unknown): Told => ({
  id: (data as Added).logAdded.id,
  cursor: (extensions as { cursor: string }).cursor,
})

describe('clients as they are published, at the demo', () => {
  let database: TestDatabase
  let redis: TestRedis
  let product: Product
  let token: string
  let spaceId: string
  /** Sees everything from the beginning. */
  let witness: FollowedOn<Added>

  beforeAll(async () => {
    database = await openTestDatabase({ isMigrated: false })
    redis = await openTestRedis()
    product = await startProduct({
      env: {
        DATABASE_URL: database.url,
        REDIS_URL: redis.liveUrl,
        REDIS_INGEST_URL: redis.ingestUrl,
        NUVION_PROFILE: 'small',
        NUVION_DEMO: '1',
        HOST: '127.0.0.1',
      },
    })
    token = await signIn(product.url)
    const { spaces } = await graphqlData<{ spaces: { nodes: { id: string }[] } }>(
      product.url,
      '{ spaces { nodes { id } } }',
      { token },
    )
    spaceId = spaces.nodes[0]?.id ?? ''
    witness = followOn<Added>(product.url, token, FOLLOW, { spaceId })
    await waitFor(() => witness.messages.length > 0, { what: 'a log of the demo', deadlineMs: 30_000 })
  })

  afterAll(async () => {
    await witness?.[Symbol.asyncDispose]()
    await product?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
  })

  const followWithGraphqlWs: Follow = (client, resumeAfter, told) =>
    client.subscribe(
      { query: FOLLOW, variables: { spaceId }, ...(resumeAfter && { extensions: { resumeAfter } }) },
      { next: ({ data, extensions }) => told(toTold(data, extensions)), error() {}, complete() {} },
    )

  const followWithApollo: Follow = (client, resumeAfter, told) => {
    const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() })
    const subscription = apollo
      .subscribe({
        query: gql(FOLLOW),
        variables: { spaceId },
        ...(resumeAfter && { extensions: { resumeAfter } }),
      })
      .subscribe(({ data, extensions }) => told(toTold(data, extensions)))
    return () => {
      subscription.unsubscribe()
      apollo.stop()
    }
  }

  const followWithUrql: Follow = (client, resumeAfter, told) => {
    const urql = new UrqlClient({
      url: `${product.url}/graphql`,
      preferGetMethod: false,
      exchanges: [
        subscriptionExchange({
          forwardSubscription: ({ query, variables }) => ({
            subscribe: sink => ({
              unsubscribe: client.subscribe(
                { query: query ?? '', variables, ...(resumeAfter && { extensions: { resumeAfter } }) },
                sink as never,
              ),
            }),
          }),
        }),
      ],
    })
    const { unsubscribe } = urql
      .subscription(FOLLOW, { spaceId })
      .subscribe(({ data, extensions }) => told(toTold(data, extensions)))
    return unsubscribe
  }

  it.each<[string, Follow]>([
    ['graphql-ws', followWithGraphqlWs],
    ['Apollo Client', followWithApollo],
    ['urql', followWithUrql],
  ])('%s follows, and goes on where it was after its socket is gone', async (_, follow) => {
    const told: Told[] = []
    const connect = () =>
      createClient({
        url: `${product.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
        retryAttempts: 0,
      })
    const first = connect()
    const letGo = follow(first, undefined, message => told.push(message))
    await waitFor(() => told.length >= 2, { what: 'two logs', deadlineMs: 30_000 })
    letGo()
    first.terminate()
    const seen = witness.messages.length
    await waitFor(() => witness.messages.length >= seen + 3, {
      what: 'three missed logs',
      deadlineMs: 30_000,
    })
    const second = connect()
    const missed = told.length
    const letGoAgain = follow(second, told.at(-1)?.cursor, message => told.push(message))
    await waitFor(() => told.length >= missed + 5, { what: 'what was missed and more', deadlineMs: 30_000 })
    letGoAgain()
    await second.dispose()
    const idsSoFar = () => witness.messages.map(message => message?.logAdded.id)
    await waitFor(() => idsSoFar().includes(told.at(-1)?.id), { what: 'the last of them at the witness' })
    const ids = idsSoFar()
    const from = ids.indexOf(told[0]?.id)
    expect(told.map(({ id }) => id)).toEqual(ids.slice(from, from + told.length))
  })
})
