import { afterEach, describe, expect, test } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import { openSocketClient, type SocketClient } from '../testing/socket-client.ts'
import { type LiveGateway, startLiveGateway } from '../testing/start-live-gateway.ts'
import { testToken } from '../testing/start-test-gateway.ts'

const QUERY = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id } }'
const variables = { s: 'factory' }

let live: LiveGateway

afterEach(async () => {
  await live[Symbol.asyncDispose]()
})

async function start(limits?: Partial<GatewayLimits>): Promise<void> {
  live = await startLiveGateway('in-process', limits)
  for (const user of ['ann', 'bob']) live.gateway.fixture.setRole(user, 'factory', 'VIEWER')
}

describe('close codes', () => {
  const subscribe = { type: 'subscribe', id: '1', payload: { query: QUERY, variables } }

  test.each<[string, number, (client: SocketClient) => void]>([
    ['text that is no JSON', 4400, client => client.send('no json')],
    ['JSON that is no message', 4400, client => client.send('17')],
    ['a message of an unknown type', 4400, client => client.send({ type: 'start' })],
    [
      'a message without an id',
      4400,
      client => client.send({ type: 'subscribe', payload: { query: QUERY } }),
    ],
    ['an empty id', 4400, client => client.send({ ...subscribe, id: '' })],
    ['a next', 4400, client => client.send({ type: 'next', id: '1', payload: { data: null } })],
    ['an error', 4400, client => client.send({ type: 'error', id: '1', payload: [{ message: 'no' }] })],
    ['a connection_ack', 4400, client => client.send({ type: 'connection_ack' })],
    ['a second connection_init', 4429, client => client.send({ type: 'connection_init' })],
    [
      'a message that is too large',
      1009,
      client => client.send(`{"type":"ping","payload":{"a":"${'x'.repeat(5_000)}"}}`),
    ],
    ['an id that is in use', 4409, client => [client.send(subscribe), client.send(subscribe)]],
  ])('%s closes with %i', async (_, code, misbehave) => {
    await start({ maxMessageBytes: 4_000 })
    const client = await live.signIn('ann')
    misbehave(client)
    expect((await client.closed).code).toBe(code)
    await live.settled({ subscriptions: 0, groups: 0 })
  })

  test('without a session, a protocol or a good token', async () => {
    await start({ connectionInitTimeoutMs: 100 })
    const { wsUrl } = live.gateway
    const early = await openSocketClient(wsUrl, null)
    early.send(subscribe)
    const silent = await openSocketClient(wsUrl, null)
    const without = await openSocketClient(wsUrl, null, [])
    const expired = await openSocketClient(wsUrl, testToken({ lifeMs: -1 }))
    const codes = await Promise.all(
      [early, silent, without, expired].map(async ({ closed }) => (await closed).code),
    )
    expect(codes).toEqual([4401, 4408, 4406, 4403])
  })
})

test('no Subscribe that cannot run costs the socket, whatever is in it', async () => {
  await start()
  const client = await live.signIn('ann')
  client.subscribe('good', QUERY, { variables })
  await live.settled({ subscriptions: 1, groups: 1 })
  const payloads: object[] = [
    { query: '' },
    { query: '{' },
    { query: 'subscription { a b }' },
    { query: QUERY },
    { query: QUERY, variables: { s: { a: 1 } } },
    { query: QUERY, variables, operationName: 'Nobody' },
    { query: QUERY, variables, extensions: { resumeAfter: [] } },
    { query: QUERY, variables, extensions: { persistedQuery: 7 } },
    { query: 'subscription ($i: Boolean!) { machineChanged(spaceId: 1) @include(if: $i) { id } }' },
    { query: `subscription { machineChanged(spaceId: 1) { ${'id '.repeat(3_000)} } }` },
    { query: 'mutation { nothing }' },
    { query: '{ __schema { types { name } } }' },
  ]
  for (const [index, payload] of payloads.entries()) {
    client.send({ type: 'subscribe', id: `bad ${index}`, payload })
    const error = await client.ended(`bad ${index}`)
    expect(error ?? client.results(`bad ${index}`)[0]?.errors, JSON.stringify(payload)).not.toHaveLength(0)
  }
  await live.world.publish('factory', 1)
  await client.next('good', 1)
  expect(client.socket.readyState).toBe(client.socket.OPEN)
})

test.each(['"', '\\', '\u0000', '\ud83c', '한글 🏭', "'; DROP", '__proto__', 'x'.repeat(256)])(
  'an id of %j comes back as it was',
  async id => {
    await start()
    const client = await live.signIn('ann')
    client.subscribe(id, QUERY, { variables })
    await live.settled({ subscriptions: 1, groups: 1 })
    await live.world.publish('factory', 1)
    expect((await client.next(id, 1))[0]?.data).toEqual({ machineChanged: { id: 'factory/1' } })
    client.complete(id)
    await live.settled({ subscriptions: 0, groups: 0 })
  },
)

test('an id that is too long is answered with an error', async () => {
  await start()
  const client = await live.signIn('ann')
  const id = 'x'.repeat(257)
  client.subscribe(id, QUERY, { variables })
  expect(await client.ended(id)).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
})

test('an id may be used again at once, and what it names then ends with its socket', async () => {
  await start()
  const client = await live.signIn('ann')
  for (let i = 0; i < 50; i++) {
    client.subscribe('1', QUERY, { variables })
    client.complete('1')
  }
  client.subscribe('1', QUERY, { variables })
  await live.settled({ subscriptions: 1, groups: 1 })
  await live.world.publish('factory', 1)
  await client.next('1', 1)
  expect(client.messages.filter(({ type }) => type !== 'next' && type !== 'connection_ack')).toEqual([])
  client.socket.terminate()
  await live.settled({ subscriptions: 0, groups: 0 })
})

test('an id whose query still runs is not given to another, and leaves nothing', async () => {
  await start()
  const held = Promise.withResolvers<void>()
  live.world.beforeNote = () => held.promise
  const client = await live.signIn('ann')
  client.subscribe('1', '{ machine(id: "factory/1") { note } }')
  await waitFor(() => live.world.runs.care.size === 1, { what: 'the query' })
  client.complete('1')
  client.subscribe('1', QUERY, { variables })
  expect(await client.ended('1')).toMatchObject([{ extensions: { code: 'CONFLICT' } }])
  held.resolve()
  client.socket.terminate()
  await live.settled({ subscriptions: 0, groups: 0 })
})

test('one connection too many of a caller is closed with 1013, and makes room when another goes', async () => {
  await start({ maxConnectionsPerCaller: 2 })
  const [first] = await Promise.all([live.signIn('ann'), live.signIn('ann')])
  const third = await live.signIn('ann')
  expect((await third.closed).code).toBe(1013)
  expect((await live.signIn('bob')).messages).toHaveLength(1)
  first?.socket.terminate()
  await waitFor(async () => (await live.signIn('ann')).socket.readyState === 1, { what: 'room' })
})

test('sockets of an address that nobody has initialised are bounded, and make room when it is known whose they are', async () => {
  await start({ maxOpeningSocketsPerAddress: 2 })
  const { wsUrl } = live.gateway
  const silent = await Promise.all([openSocketClient(wsUrl, null), openSocketClient(wsUrl, null)])
  await expect(openSocketClient(wsUrl, null)).rejects.toThrow('503')
  silent[0]?.send({ type: 'connection_init' })
  await waitFor(() => silent[0]?.messages.length, { what: 'connection_ack' })
  const third = await openSocketClient(wsUrl, null)
  await expect(openSocketClient(wsUrl, null)).rejects.toThrow('503')
  third.socket.terminate()
  await waitFor(async () => (await live.signIn('ann')).messages.length, { what: 'room' })
})

test('a subscription that is too long to keep is answered with an error, whatever makes it long', async () => {
  await start({ maxSubscriptionText: 500 })
  const client = await live.signIn('ann')
  const long = 'x'.repeat(500)
  const payloads = [
    { query: QUERY, variables: { ...variables, unused: long } },
    { query: QUERY, variables, extensions: { unused: long } },
    { query: `${QUERY} # ${long}`, variables },
  ]
  for (const [index, payload] of payloads.entries()) {
    client.send({ type: 'subscribe', id: `${index}`, payload })
    expect(await client.ended(`${index}`)).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', limit: 'subscriptionText', max: 500 } },
    ])
  }
  client.subscribe('short', QUERY, { variables })
  await live.settled({ subscriptions: 1, groups: 1 })
})

test('one subscription too many of a caller is RATE_LIMITED on whatever socket, and makes room when one ends', async () => {
  await start({ maxSubscriptionsPerCaller: 3 })
  const sockets = await Promise.all([live.signIn('ann'), live.signIn('ann')])
  const [one, two] = sockets as [SocketClient, SocketClient]
  for (const id of ['1', '2']) one.subscribe(id, QUERY, { variables })
  two.subscribe('1', QUERY, { variables })
  await live.settled({ subscriptions: 3, groups: 1 })
  two.subscribe('2', QUERY, { variables })
  expect(await two.ended('2')).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
  const bob = await live.signIn('bob')
  bob.subscribe('1', QUERY, { variables })
  await live.settled({ subscriptions: 4, groups: 1 })
  one.complete('1')
  await live.settled({ subscriptions: 3, groups: 1 })
  two.subscribe('3', QUERY, { variables })
  await live.settled({ subscriptions: 4, groups: 1 })
  // What was refused, invalid or malformed took no room.
  for (const resumeAfter of ['bad', 3]) {
    one.subscribe(`bad ${resumeAfter}`, QUERY, { variables, resumeAfter })
    await one.ended(`bad ${resumeAfter}`)
  }
  two.complete('3')
  await live.settled({ subscriptions: 3, groups: 1 })
  two.subscribe('4', QUERY, { variables })
  await live.settled({ subscriptions: 4, groups: 1 })
})
