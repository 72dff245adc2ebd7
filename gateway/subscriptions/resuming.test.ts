import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { openSocketClient, type SocketClient } from '../testing/socket-client.ts'
import { cursorOf, type LiveGateway, listNumbers, startLiveGateway } from '../testing/start-live-gateway.ts'
import { type Shape, startTestGateway, testToken } from '../testing/start-test-gateway.ts'

const QUERY = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id note } }'

/** Numbers from `first` to `last`. */
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

let spaces = 0

describe.each<Shape>(['in-process', 'remote'])('resuming with subgraphs %s', shape => {
  let live: LiveGateway
  let space = ''
  const clients: SocketClient[] = []

  beforeAll(async () => {
    live = await startLiveGateway(shape, { maxConnectionsPerCaller: 300 })
  })

  afterAll(async () => {
    await live[Symbol.asyncDispose]()
  })

  afterEach(async () => {
    live.world.beforeNote = undefined
    live.world.bulkLength = 1
    for (const client of clients.splice(0)) client.socket.terminate()
    await live.settled({ subscriptions: 0, groups: 0 })
    for (const runs of Object.values(live.world.runs)) runs.clear()
  })

  /** A space of its own with a follower that has seen these many events; answers their cursors. */
  async function begin(count: number): Promise<string[]> {
    space = `space-${spaces++}`
    for (const user of ['ann', 'bob']) live.gateway.fixture.setRole(user, space, 'VIEWER')
    const first = await signIn()
    first.subscribe('1', QUERY, { variables: { s: space } })
    await live.settled({ subscriptions: 1, groups: 1 })
    await live.world.publish(space, ...range(1, count))
    return (await first.next('1', count)).map(cursorOf)
  }

  async function signIn(userId = 'ann'): Promise<SocketClient> {
    const client = await live.signIn(userId)
    clients.push(client)
    return client
  }

  async function resume(resumeAfter: unknown, query = QUERY): Promise<SocketClient> {
    const client = await signIn(clients.length % 2 === 0 ? 'ann' : 'bob')
    client.subscribe('1', query, { variables: { s: space }, resumeAfter })
    return client
  }

  test('at any cursor, while events flow, each of many gets each event once and in order', async () => {
    const cursors = await begin(150)
    const publishing = live.world.publish(space, ...range(151, 320))
    const places = range(0, 24).map(i => (i * 47) % 150)
    const resumed = await Promise.all(places.map(place => resume(cursors[place])))
    await publishing
    for (const [index, client] of resumed.entries()) {
      const from = (places[index] ?? 0) + 2
      const results = await client.next('1', 320 - from + 1)
      expect(listNumbers(results)).toEqual(range(from, 320))
    }
    expect(listNumbers((await clients[0]?.next('1', 320)) ?? [])).toEqual(range(1, 320))
  })

  test('a storm of 200 who resume from one cursor has each event read and run once', async () => {
    const cursors = await begin(130)
    for (const runs of Object.values(live.world.runs)) runs.clear()
    const sockets = await Promise.all(range(1, 200).map(() => signIn('bob')))
    for (const socket of sockets)
      socket.subscribe('1', QUERY, { variables: { s: space }, resumeAfter: cursors[0] })
    for (const socket of sockets) expect(listNumbers(await socket.next('1', 129))).toEqual(range(2, 130))
    const { plant, care } = live.world.runs
    expect(plant.size).toBe(129)
    // Some may ask when the first have caught up, and what they share is forgotten; a subgraph may run ahead.
    expect(Math.max(...care.values())).toBeLessThan(10)
    expect(Math.max(...plant.values())).toBeLessThan(20)
  })

  test('what was trimmed is an explicit gap, after which the live flow goes on', async () => {
    const cursors = await begin(20)
    await live.world.trim(space, 5)
    const client = await resume(cursors[3])
    const [gap] = await client.next('1', 1)
    expect(gap).toEqual({ data: null, extensions: { gap: true, cursor: expect.any(String) } })
    await live.world.publish(space, 21)
    expect(listNumbers(await client.next('1', 2))).toEqual(['gap', 21])
  })

  test('who has seen nothing and says so is told from where on nothing is missed, first in a group or later', async () => {
    await begin(3)
    const later = await resume(null)
    const [told] = await later.next('1', 1)
    expect(told).toEqual({ data: null, extensions: { gap: true, cursor: expect.any(String) } })
    await live.world.publish(space, 4)
    expect(listNumbers(await later.next('1', 2))).toEqual(['gap', 4])

    space = `space-${spaces++}`
    live.gateway.fixture.setRole('ann', space, 'VIEWER')
    const first = await signIn()
    first.subscribe('1', QUERY, { variables: { s: space }, resumeAfter: null })
    await first.next('1', 1)
    await live.world.publish(space, 1, 2)
    expect(listNumbers(await first.next('1', 3))).toEqual(['gap', 1, 2])
    const again = await signIn()
    again.subscribe('1', QUERY, {
      variables: { s: space },
      resumeAfter: cursorOf((await first.next('1', 3))[0]),
    })
    expect(listNumbers(await again.next('1', 2))).toEqual([1, 2])
  })

  test.each([17, '', 'nonsense', '1-0', '1-0.100', { a: 1 }])(
    'a resumeAfter of %j is answered with an error message, and the socket lives',
    async resumeAfter => {
      space = 'any'
      const client = await resume(resumeAfter)
      expect(await client.ended('1')).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
      client.subscribe('1', '{ careTeam }')
      expect(await client.next('1', 1)).toEqual([{ data: { careTeam: 'us' } }])
      await client.ended('1')
    },
  )

  test('a resumer that reads nothing is waited for, and gets everything when it reads', async () => {
    const query = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id bulk } }'
    const cursors = await begin(3)
    live.world.bulkLength = 100_000
    await live.world.publish(space, ...range(4, 200))
    const seen = (await clients[0]?.next('1', 200)) ?? []
    const slow = await signIn('bob')
    slow.socket.pause()
    for (const id of ['1', '2'])
      slow.subscribe(id, query, { variables: { s: space }, resumeAfter: cursors[2] })
    await waitFor(() => (live.world.runs.plant.get(40) ?? 0) > 1, { what: 'the first page' })
    const other = await resume(
      cursorOf(seen[99]),
      'subscription ($s: ID!) { machineChanged(spaceId: $s) { id } }',
    )
    await live.world.publish(space, 201)
    expect(listNumbers(await other.next('1', 101)).at(-1)).toBe(201)
    // More than can wait for it in the group, too.
    await live.world.publish(space, ...range(202, 500))
    await other.next('1', 400)
    slow.socket.resume()
    for (const id of ['1', '2']) {
      await waitFor(() => slow.results(id).length === 497, { what: 'everything', deadlineMs: 20_000 })
      expect(listNumbers(slow.results(id))).toEqual(range(4, 500))
    }
  }, 40_000)

  test('a live socket that reads nothing is closed with 1013, and nobody waits for it', async () => {
    await begin(1)
    live.world.bulkLength = 2_000_000
    const query = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id bulk } }'
    const slow = await signIn()
    const quick = await signIn()
    for (const client of [slow, quick]) client.subscribe('2', query, { variables: { s: space } })
    await live.settled({ subscriptions: 3, groups: 2 })
    slow.socket.pause()
    for (const number of range(2, 9)) {
      await live.world.publish(space, number)
      await quick.next('2', number - 1)
    }
    slow.socket.resume()
    expect(await slow.closed).toEqual({ code: 1013, reason: 'Too slow' })
    expect(listNumbers(quick.results('2'))).toEqual(range(2, 9))
  }, 20_000)

  test('a message larger than what may wait reaches a socket that reads', async () => {
    await begin(1)
    live.world.bulkLength = 3_000_000
    const client = await signIn()
    client.subscribe('2', 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id bulk } }', {
      variables: { s: space },
    })
    await live.settled({ subscriptions: 2, groups: 2 })
    await live.world.publish(space, 2)
    await client.next('2', 1)
    await live.world.publish(space, 3)
    expect(listNumbers(await client.next('2', 2))).toEqual([2, 3])
  })
})

test('who resumes a source without cursors is told of a gap first, and then what comes', async () => {
  await using gateway = await startTestGateway({ shape: 'in-process' })
  const { topic } = gateway.fixture
  using client = await openSocketClient(gateway.wsUrl, testToken())
  client.subscribe('1', 'subscription { productChanged { id } }', { resumeAfter: '1-0.0' })
  expect(await client.next('1', 1)).toEqual([{ data: null, extensions: { gap: true } }])
  topic.push({ id: '2' })
  expect((await client.next('1', 2))[1]).toEqual({ data: { productChanged: { id: '2' } } })
})
