import { type GraphQLSchema, getNamedType, isLeafType, isObjectType } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildSupergraph } from '../supergraph.ts'
import { LIVE_SUPERGRAPH } from '../testing/live-world.ts'
import type { SocketClient } from '../testing/socket-client.ts'
import { type LiveGateway, startLiveGateway } from '../testing/start-live-gateway.ts'
import type { Shape } from '../testing/start-test-gateway.ts'
import { readViewerDependentFields } from './viewer-dependence.ts'

const SPACE = 'factory'
const NOTED = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id note viewerRole } }'
const variables = { s: SPACE }
const marked = readViewerDependentFields(LIVE_SUPERGRAPH)
const { apiSchema } = buildSupergraph(LIVE_SUPERGRAPH)

/** Every leaf field of the objects that an event may be, as a selection, with whether it is marked. */
function listSelections(schema: GraphQLSchema): { field: string; query: string }[] {
  const roots = { Machine: 'machineChanged', Robot: 'hitChanged', Space: 'machineChanged' }
  return Object.entries(roots).flatMap(([typeName, root]) => {
    const type = schema.getType(typeName)
    if (!isObjectType(type)) throw new TypeError(`Expected an object type ${typeName}, got none.`)
    return Object.values(type.getFields())
      .filter(field => isLeafType(getNamedType(field.type)))
      .map(({ name }) => {
        const inner = typeName === 'Space' ? `space { ${name} }` : `... on ${typeName} { ${name} }`
        return {
          field: `${typeName}.${name}`,
          query: `subscription ($s: ID!) { ${root}(spaceId: $s) { ${inner} } }`,
        }
      })
  })
}

describe.each<Shape>(['in-process', 'remote'])('subscribers with subgraphs %s', shape => {
  let live: LiveGateway
  const clients: SocketClient[] = []

  beforeAll(async () => {
    live = await startLiveGateway(shape)
    const { setRole } = live.gateway.fixture
    for (const user of ['ann', 'bob', 'cleo']) setRole(user, SPACE, 'VIEWER')
    for (const user of ['olga', 'otto']) setRole(user, SPACE, 'OWNER')
    for (const user of ['ann', 'olga']) setRole(user, 'other', 'VIEWER')
  })

  afterAll(async () => {
    await live[Symbol.asyncDispose]()
  })

  afterEach(async () => {
    for (const client of clients.splice(0)) client.socket.terminate()
    await live.settled({ subscriptions: 0, groups: 0 })
    for (const runs of Object.values(live.world.runs)) runs.clear()
  })

  async function signIn(userId: string): Promise<SocketClient> {
    const client = await live.signIn(userId)
    clients.push(client)
    return client
  }

  test('of one role share one stream, one run and one text for each event', async () => {
    const { world } = live
    const users = ['ann', 'bob', 'cleo', 'ann', 'bob', 'ann', 'cleo', 'bob']
    const sockets = await Promise.all(users.map(signIn))
    for (const socket of sockets) socket.subscribe('a"b\\ü🎛', NOTED, { variables })
    await live.settled({ subscriptions: 8, groups: 1 })
    const before = await live.read('nuvion_gateway_subscription_events_total')
    await world.publish(SPACE, 1, 2)
    const results = await Promise.all(sockets.map(socket => socket.next('a"b\\ü🎛', 2)))
    for (const result of results) expect(result).toEqual(results[0])
    expect(results[0]?.[0]?.data).toEqual({
      machineChanged: { id: 'factory/1', note: 'note 1', viewerRole: 'VIEWER' },
    })
    expect(await live.read('nuvion_gateway_subscription_events_total')).toBe(before + 2)
    expect([...world.runs.plant.values(), ...world.runs.care.values()]).toEqual([1, 1, 1, 1])
  })

  test('of other roles, variables, documents and spaces are apart, and so are other users for a marked field', async () => {
    const other = NOTED.replace('note', 'name')
    const mine = NOTED.replace('note', 'mine')
    const asked: [string, string, string][] = [
      ['ann', NOTED, SPACE],
      ['olga', NOTED, SPACE],
      ['ann', NOTED, 'other'],
      ['ann', other, SPACE],
      ['ann', mine, SPACE],
      ['bob', mine, SPACE],
      ['bob', NOTED, SPACE],
      ['otto', NOTED, SPACE],
      ['olga', NOTED, 'other'],
    ]
    for (const [user, query, s] of asked) {
      const socket = await signIn(user)
      socket.subscribe('1', query, { variables: { s } })
    }
    await live.settled({ subscriptions: asked.length, groups: 6 })
    await live.world.publish(SPACE, 1)
    const seen = await Promise.all(
      clients.flatMap((client, index) => (asked[index]?.[2] === SPACE ? [client.next('1', 1)] : [])),
    )
    expect(seen.map(results => results[0]?.data?.machineChanged)).toEqual([
      { id: 'factory/1', note: 'note 1', viewerRole: 'VIEWER' },
      { id: 'factory/1', note: 'note 1', viewerRole: 'OWNER' },
      { id: 'factory/1', name: 'machine 1', viewerRole: 'VIEWER' },
      { id: 'factory/1', mine: 'of ann', viewerRole: 'VIEWER' },
      { id: 'factory/1', mine: 'of bob', viewerRole: 'VIEWER' },
      { id: 'factory/1', note: 'note 1', viewerRole: 'VIEWER' },
      { id: 'factory/1', note: 'note 1', viewerRole: 'OWNER' },
    ])
  })

  test('equal variables share in whatever order they stand, and default values do not', async () => {
    const query = `subscription ($s: ID!, $ids: [ID!] = ["1"]) { machineChanged(spaceId: $s, ids: $ids) { id } }`
    const given = [{ s: SPACE, ids: ['1'] }, { ids: ['1'], s: SPACE, unused: 3 }, { s: SPACE }]
    for (const one of given) (await signIn('ann')).subscribe('1', query, { variables: one })
    await live.settled({ subscriptions: 3, groups: 2 })
    await live.world.publish(SPACE, 2, 1)
    for (const client of clients)
      expect((await client.next('1', 1))[0]?.data).toEqual({ machineChanged: { id: 'factory/1' } })
  })

  test.each([
    ['an interface', 'thingChanged(spaceId: $s) { seenBy }'],
    ['a union', 'hitChanged(spaceId: $s) { ... on Thing { seenBy } }'],
    [
      'a fragment and an alias',
      'machineChanged(spaceId: $s) { ...F }',
      'fragment F on Thing { seenBy: name id: seenBy }',
    ],
  ])('a marked field through %s is its own for each user', async (_, selection, fragment = '') => {
    for (const user of ['ann', 'bob'])
      (await signIn(user)).subscribe('1', `subscription ($s: ID!) { ${selection} } ${fragment}`, {
        variables,
      })
    await live.settled({ subscriptions: 2, groups: 2 })
    await live.world.publish(SPACE, 1)
    const [ann, bob] = await Promise.all(clients.map(async client => (await client.next('1', 1))[0]?.data))
    expect(JSON.stringify(ann)).toContain('"ann"')
    expect(JSON.stringify(bob)).toContain('"bob"')
    expect(JSON.stringify(ann)).not.toContain('bob')
  })

  test.each(listSelections(apiSchema))(
    '$field: nobody sees what another may not share',
    async ({ field, query }) => {
      const users = ['ann', 'bob', 'olga', 'otto']
      // First each alone, which says what is right for them; then together.
      const alone: unknown[] = []
      for (const user of users) {
        const client = await signIn(user)
        client.subscribe('1', query, { variables })
        await live.settled({ subscriptions: 1, groups: 1 })
        await live.world.publish(SPACE, 5)
        const [{ data, errors } = {}] = await client.next('1', 1)
        alone.push({ data, errors })
        client.complete('1')
        await live.settled({ subscriptions: 0, groups: 0 })
      }
      for (const user of users) (await signIn(user)).subscribe('2', query, { variables })
      await live.settled({ subscriptions: 4, groups: marked.has(field) ? 4 : 2 })
      await live.world.publish(SPACE, 5)
      const together = await Promise.all(clients.slice(4).map(client => client.next('2', 1)))
      expect(together.map(([{ data, errors } = {}]) => ({ data, errors }))).toEqual(alone)
      // What is not marked answers alike to two of one role.
      if (marked.has(field)) expect(alone[0]).not.toEqual(alone[1])
      else {
        expect(alone[0]).toEqual(alone[1])
        expect(alone[2]).toEqual(alone[3])
      }
    },
  )
})
