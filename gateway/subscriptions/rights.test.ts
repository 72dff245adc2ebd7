import type { FormattedExecutionResult } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import type { SocketClient } from '../testing/socket-client.ts'
import { type LiveGateway, listNumbers, startLiveGateway } from '../testing/start-live-gateway.ts'
import type { Shape } from '../testing/start-test-gateway.ts'

const QUERY = 'subscription ($s: ID!) { machineChanged(spaceId: $s) { id note viewerRole } }'

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** The role under which an event was run. */
function roleOf({ data }: FormattedExecutionResult): unknown {
  return (data?.machineChanged as { viewerRole?: string } | undefined)?.viewerRole
}

let spaces = 0

describe.each<Shape>(['in-process', 'remote'])('rights of subscribers with subgraphs %s', shape => {
  let live: LiveGateway
  let space = ''
  const clients: SocketClient[] = []

  beforeAll(async () => {
    live = await startLiveGateway(shape)
  })

  afterAll(async () => {
    await live[Symbol.asyncDispose]()
  })

  afterEach(async () => {
    live.gateway.fixture.beforeAnswer = undefined
    live.world.beforeNote = undefined
    for (const client of clients.splice(0)) client.socket.terminate()
    await live.settled({ subscriptions: 0, groups: 0 })
    for (const runs of Object.values(live.world.runs)) runs.clear()
    live.world.speakers.clear()
  })

  /** Followers of a space of its own, one after the other, so that the first is the oldest. */
  async function begin(...users: readonly string[]): Promise<SocketClient[]> {
    space = `space-${spaces++}`
    for (const [index, user] of users.entries()) {
      live.gateway.fixture.setRole(user, space, 'VIEWER')
      await follow(user, index + 1)
    }
    return clients
  }

  async function follow(user: string, subscriptions: number, sessionId?: string, lifeMs?: number) {
    const client = await live.signIn(user, sessionId, lifeMs)
    clients.push(client)
    client.subscribe('1', QUERY, { variables: { s: space } })
    await live.settled({ subscriptions, groups: 1 })
    return client
  }

  test('who is removed is told so at once, and nobody else', async () => {
    const [ann, bob] = await begin('ann', 'bob')
    live.gateway.fixture.setRole('ann', 'elsewhere', null)
    live.gateway.fixture.setRole('ann', space, null)
    expect(await ann?.ended('1')).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
    await live.settled({ subscriptions: 1, groups: 1 })
    await live.world.publish(space, 1)
    expect(listNumbers((await bob?.next('1', 1)) ?? [])).toEqual([1])
    expect(ann?.results('1')).toEqual([])
    // The socket goes on.
    ann?.subscribe('1', '{ careTeam }')
    expect(await ann?.next('1', 1)).toEqual([{ data: { careTeam: 'us' } }])
    await ann?.ended('1')
  })

  test('a changed role moves its subscriber, with each event once and each under the one role or the other', async () => {
    const [ann, bob] = await begin('ann', 'bob')
    const roles = ['OPERATOR', 'VIEWER', 'OWNER', 'ADMIN', 'VIEWER', 'OPERATOR'] as const
    const publishing = live.world.publish(space, ...range(1, 300))
    for (const [index, role] of roles.entries()) {
      await waitFor(() => (ann?.results('1').length ?? 0) >= index * 40 + 10, { what: `turn ${index}` })
      live.gateway.fixture.setRole('ann', space, role)
    }
    await publishing
    const results = (await ann?.next('1', 300)) ?? []
    expect(listNumbers(results)).toEqual(range(1, 300))
    const seen = results.map(roleOf)
    const turns = seen.filter((role, index) => role !== seen[index - 1])
    expect(turns[0]).toBe('VIEWER')
    expect(turns.at(-1)).toBe('OPERATOR')
    expect(listNumbers((await bob?.next('1', 300)) ?? [])).toEqual(range(1, 300))
    expect(new Set(bob?.results('1').map(roleOf))).toEqual(new Set(['VIEWER']))
    await live.settled({ subscriptions: 2, groups: 2 })
  })

  test('a lookup that began before the change is not trusted', async () => {
    space = `space-${spaces++}`
    const { fixture } = live.gateway
    fixture.setRole('ann', space, 'VIEWER')
    const held = Promise.withResolvers<void>()
    let lookups = 0
    fixture.beforeAnswer = () => {
      lookups++
      return lookups === 1 ? held.promise : Promise.resolve()
    }
    const ann = await live.signIn('ann')
    clients.push(ann)
    ann.subscribe('1', QUERY, { variables: { s: space } })
    await waitFor(() => lookups === 1, { what: 'the lookup' })
    fixture.setRole('ann', space, null)
    held.resolve()
    // Not a member: asked on one's own behalf, the subgraph refuses.
    await ann.ended('1')
    expect(ann.results('1')).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }])
  })

  test('a role that cannot be looked up ends its subscription with UNAVAILABLE', async () => {
    const [ann, bob] = await begin('ann', 'bob')
    live.gateway.fixture.beforeAnswer = async user => {
      if (user === 'ann') throw new AppError('UNAVAILABLE', 'The database is away.')
    }
    for (const user of ['ann', 'bob']) live.gateway.fixture.setRole(user, space, 'VIEWER')
    expect(await ann?.ended('1')).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }])
    live.gateway.fixture.beforeAnswer = undefined
    await live.world.publish(space, 1)
    expect(listNumbers((await bob?.next('1', 1)) ?? [])).toEqual([1])
  })

  test('sign-out closes the sockets of that session and no others', async () => {
    const [first] = await begin('ann')
    const second = await follow('ann', 2, 'the-other')
    const bob = await live.signIn('bob')
    clients.push(bob)
    live.gateway.fixture.endSession('session-of-ann')
    expect(await first?.closed).toEqual({ code: 4403, reason: 'The session has ended' })
    await live.settled({ subscriptions: 1, groups: 1 })
    await live.world.publish(space, 1)
    expect(listNumbers(await second.next('1', 1))).toEqual([1])
    bob.subscribe('1', '{ careTeam }')
    await bob.next('1', 1)
  })

  test.each(['leaves', 'is removed', 'is cut off', 'has an expired token'])(
    'when the oldest member %s in the middle of an event, the others get it, and the next ones',
    async how => {
      space = `space-${spaces++}`
      for (const user of ['ann', 'bob']) live.gateway.fixture.setRole(user, space, 'VIEWER')
      const ann = await follow('ann', 1, undefined, how === 'has an expired token' ? 600 : undefined)
      const bob = await follow('bob', 2)
      const held = Promise.withResolvers<void>()
      live.world.beforeNote = number => (number === 1 ? held.promise : undefined)
      await live.world.publish(space, 1, 2)
      await waitFor(() => live.world.runs.care.size === 2, { what: 'the event' })
      if (how === 'leaves') ann.complete('1')
      else if (how === 'is removed') live.gateway.fixture.setRole('ann', space, null)
      else if (how === 'is cut off') ann.socket.terminate()
      else expect((await ann.closed).code).toBe(4403)
      await live.settled({ subscriptions: 1, groups: 1 })
      expect(live.world.speakers).toEqual(new Set(['ann']))
      held.resolve()
      await live.world.publish(space, 3)
      expect(listNumbers(await bob.next('1', 3))).toEqual([1, 2, 3])
      expect(live.world.speakers).toEqual(new Set(['ann', 'bob']))
      expect(ann.results('1')).toEqual([])
    },
  )
})
