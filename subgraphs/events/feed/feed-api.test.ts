import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PresenceEvent } from '../../../schema/live-event.ts'
import { presenceEvent } from '../../../schema/mysql/ingest-tables.ts'
import { type Mysql, openMysql } from '../../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { asUser, type EventsFixture, openEventsFixture } from '../events-fixture.ts'
import {
  createFeedFixture,
  eventsOf,
  type FeedFixture,
  makeAnomaly,
  makeErrorLog,
  makePresence,
} from './feed-fixture.ts'

const FEED = `query ($first: Int, $after: String) {
  feed(first: $first, after: $after) {
    edges { cursor }
    nodes {
      __typename
      ... on Log { id message device { id } }
      ... on Anomaly { id severity line { id } }
      ... on PresenceEvent { id kind occurredAt device { id } }
    }
    pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}`
const WATCHES =
  '{ watches { since target { __typename ... on Device { id } ... on Line { id } ... on Process { id } ... on Space { id } } } }'
const WATCH = `mutation ($input: WatchInput!) {
  watch(input: $input) { watch { target { __typename } since } userErrors { code field } }
}`
const UNWATCH = `mutation ($input: WatchInput!) {
  unwatch(input: $input) { target { __typename ... on Device { id } } userErrors { code } }
}`
const PRESENCE = `query ($spaceId: ID!, $filter: PresenceFilter, $first: Int, $after: String) {
  presenceEvents(spaceId: $spaceId, filter: $filter, first: $first, after: $after) {
    nodes { id kind occurredAt device { id } }
    pageInfo { hasNextPage endCursor }
  }
}`

let database: TestDatabase
let others: Mysql
let redis: TestRedis
let events: EventsFixture
let feeds: FeedFixture
beforeAll(async () => {
  database = await openTestDatabase()
  others = openMysql({ url: database.url })
  redis = await openTestRedis()
  events = openEventsFixture(database, redis)
  feeds = createFeedFixture({ db: others.db, others: others.db, redis: redis.live })
})
afterAll(async () => {
  await events[Symbol.asyncDispose]()
  await Promise.all([others[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
  await database[Symbol.asyncDispose]()
})

describe('watches', () => {
  it('are made, listed and ended', async () => {
    const space = await feeds.addSpace()
    const user = await feeds.addMember(space.spaceId)
    const inputs = [
      { kind: 'DEVICE', id: space.deviceIds[0] },
      { kind: 'LINE', id: space.lineId },
      { kind: 'PROCESS', id: space.processId },
      { kind: 'SPACE', id: space.spaceId },
    ]
    for (const input of [...inputs, ...inputs]) {
      const { data, errors } = await events.run(user, WATCH, { input })
      expect(errors).toEqual([])
      expect(data.watch).toMatchObject({ watch: { since: expect.any(String) }, userErrors: [] })
    }
    const targets = async () =>
      (await events.run(user, WATCHES)).data.watches.map((one: { target: object }) => one.target)
    expect(await targets()).toEqual(
      ['Device', 'Line', 'Process', 'Space'].map((__typename, i) => ({ __typename, id: inputs[i]?.id })),
    )
    for (const input of [inputs[0], inputs[0]]) {
      const { data } = await events.run(user, UNWATCH, { input })
      expect(data.unwatch).toEqual({ target: { __typename: 'Device', id: inputs[0]?.id }, userErrors: [] })
    }
    expect(await targets()).toHaveLength(3)
  })

  it('are refused for what is not there, or not the caller’s to read', async () => {
    const space = await feeds.addSpace()
    const user = await feeds.addMember()
    for (const [kind, id] of [
      ['DEVICE', space.deviceIds[0]],
      ['LINE', space.lineId],
      ['SPACE', space.spaceId],
      ['DEVICE', newId()],
      ['SPACE', 'nonsense'],
    ]) {
      const { data } = await events.run(user, WATCH, { input: { kind, id } })
      expect(data.watch).toEqual({ watch: null, userErrors: [{ code: 'NOT_FOUND', field: 'id' }] })
    }
    const input = { kind: 'SPACE', id: space.spaceId }
    expect((await events.run(null, WATCH, { input })).errors[0]).toMatch(/^UNAUTHENTICATED/)
  })
})

describe('feed', () => {
  it('pages through items of every kind, in as many statements for one as for many', async () => {
    const space = await feeds.addSpace()
    const user = await feeds.addMember(space.spaceId)
    await events.run(user, WATCH, { input: { kind: 'SPACE', id: space.spaceId } })
    const place = feeds.placeOf(space.deviceIds[0] ?? '')
    const now = Date.now()
    const times = Array.from({ length: 10 }, (_, i) => now - i * 1_000)
    const committed = eventsOf({
      logs: times.map(at => makeErrorLog(place, at)),
      anomalies: times.map(at => ({ change: 'RAISED' as const, anomaly: makeAnomaly(place, at - 100) })),
      presence: times.map(at => makePresence(place, at - 200, false)),
    })
    await feeds.commit(committed)
    const seen: string[] = []
    let after: string | null = null
    do {
      database.statements.length = 0
      const { data, errors } = await events.run(user, FEED, { first: 7, after })
      expect(errors).toEqual([])
      seen.push(...data.feed.nodes.map((node: { __typename: string }) => node.__typename))
      if (after !== null) expect(database.statements.length).toBeLessThanOrEqual(4)
      after = data.feed.pageInfo.hasNextPage ? data.feed.pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toEqual(times.flatMap(() => ['Log', 'Anomaly', 'PresenceEvent']))
    database.statements.length = 0
    const { data } = await events.run(user, FEED, { first: 30 })
    expect(database.statements).toHaveLength(4)
    expect(data.feed.nodes[2]).toEqual({
      __typename: 'PresenceEvent',
      id: committed.presence[0]?.id,
      kind: 'OFFLINE',
      occurredAt: new Date(now - 200).toISOString(),
      device: { id: place.deviceId },
    })
  })

  it('leaves out what is gone from the tables, and goes on behind it', async () => {
    const space = await feeds.addSpace()
    const user = await feeds.addMember(space.spaceId)
    await events.run(user, WATCH, { input: { kind: 'SPACE', id: space.spaceId } })
    const place = feeds.placeOf(space.deviceIds[0] ?? '')
    const logs = Array.from({ length: 4 }, (_, i) => makeErrorLog(place, Date.now() - i * 1_000))
    await feeds.commit(eventsOf({ logs }))
    expect((await events.run(user, FEED)).data.feed.nodes).toHaveLength(4)
    await others.pool.query('DELETE FROM log WHERE id IN (?)', [logs.slice(0, 2).map(({ id }) => id)])
    const first = (await events.run(user, FEED, { first: 2 })).data.feed
    expect(first).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } })
    const next = (await events.run(user, FEED, { first: 2, after: first.pageInfo.endCursor })).data.feed
    expect(next.nodes.map((node: { id: string }) => node.id)).toEqual([logs[2]?.id, logs[3]?.id])
  })

  it('is a person’s own', async () => {
    for (const query of [FEED, WATCHES]) {
      expect((await events.run(null, query)).errors[0]).toMatch(/^UNAUTHENTICATED/)
      expect((await events.run(asUser(newId()), query)).errors).toEqual([])
    }
    expect((await events.run(asUser(newId()), FEED, { after: 'x' })).errors[0]).toMatch(/^BAD_USER_INPUT/)
    expect((await events.run(asUser(newId()), FEED, { first: 101 })).errors[0]).toMatch(/^BAD_USER_INPUT/)
  })

  it('is followed live, each item whole', async () => {
    const space = await feeds.addSpace()
    const user = await feeds.addMember(space.spaceId)
    await events.run(user, WATCH, { input: { kind: 'LINE', id: space.lineId } })
    const stream = await events.follow(
      user,
      `subscription { feedItemAdded {
        __typename ... on Log { message } ... on Anomaly { severity } ... on PresenceEvent { kind } } }`,
    )
    const place = feeds.placeOf(space.deviceIds[0] ?? '')
    const listener = feeds.createListener()
    await listener.deliver(
      eventsOf({
        logs: [
          makeErrorLog(feeds.placeOf(space.deviceIds[3] ?? ''), Date.now()),
          makeErrorLog(place, Date.now()),
        ],
        anomalies: [{ change: 'RAISED', anomaly: makeAnomaly(place, Date.now()) }],
        presence: [makePresence(place, Date.now(), false)],
      }),
      { isRepeat: false },
    )
    const items = [await stream.next(), await stream.next(), await stream.next()].map(
      ({ value }) => value.data,
    )
    expect(
      JSON.parse(JSON.stringify(items)).map((one: { feedItemAdded: object }) => one.feedItemAdded),
    ).toEqual([
      { __typename: 'Log', message: 'Spindle stopped' },
      { __typename: 'Anomaly', severity: 'MAJOR' },
      { __typename: 'PresenceEvent', kind: 'OFFLINE' },
    ])
    await stream.return?.()
  })
})

describe('presenceEvents', () => {
  /** Events of three devices in turn, newest first, each a second after the next. */
  async function addHistory(count: number) {
    const space = await feeds.addSpace()
    const user = await feeds.addMember(space.spaceId)
    const now = Date.now()
    const history: PresenceEvent[] = Array.from({ length: count }, (_, i) =>
      makePresence(feeds.placeOf(space.deviceIds[i % 3] ?? ''), now - i * 1_000, i % 2 === 0),
    )
    for (let i = 0; i < count; i += 1_000) {
      const rows = history.slice(i, i + 1_000).map(({ id, spaceId, deviceId, online }) => {
        return { id, spaceId, deviceId, kind: online ? ('ONLINE' as const) : ('OFFLINE' as const) }
      })
      await others.db.insert(presenceEvent).values(rows)
    }
    return { space, user, history, now }
  }

  it.each<[string, (world: Awaited<ReturnType<typeof addHistory>>) => object | null, (i: number) => boolean]>(
    [
      ['all', () => null, () => true],
      ['devices', ({ space }) => ({ deviceIds: [space.deviceIds[0], space.deviceIds[2]] }), i => i % 3 !== 1],
      ['a line', ({ space }) => ({ lineId: space.lineId }), i => i % 3 < 2],
      ['a process', ({ space }) => ({ processId: space.processId }), i => i % 3 < 2],
      ['a kind', () => ({ kind: 'OFFLINE' }), i => i % 2 === 1],
      [
        'a device, a kind and a time',
        ({ space, now }) => ({
          ...{ deviceIds: [space.deviceIds[1]], kind: 'ONLINE' },
          ...{ from: new Date(now - 20_000).toISOString(), to: new Date(now - 4_000).toISOString() },
        }),
        i => i % 3 === 1 && i % 2 === 0 && i > 4 && i <= 20,
      ],
      ['no devices', () => ({ deviceIds: [] }), () => false],
    ],
  )('are filtered by %s, page by page, a statement each', async (_, filterOf, isWanted) => {
    const world = await addHistory(30)
    const wanted = world.history.filter((_, i) => isWanted(i))
    const seen: string[] = []
    let after: string | null = null
    do {
      database.statements.length = 0
      const variables = { spaceId: world.space.spaceId, filter: filterOf(world), first: 4, after }
      const { data, errors } = await events.run(world.user, PRESENCE, variables)
      expect(errors).toEqual([])
      expect(database.statements.length).toBeLessThanOrEqual(1)
      seen.push(...data.presenceEvents.nodes.map((node: { id: string }) => node.id))
      after = data.presenceEvents.pageInfo.hasNextPage ? data.presenceEvents.pageInfo.endCursor : null
    } while (after !== null)
    expect(seen).toEqual(wanted.map(({ id }) => id))
  })

  it('reads its index in order, and no more than the page when it has no filter', async () => {
    const world = await addHistory(3_000)
    for (const [filter, key] of [
      [null, 'PRIMARY'],
      [{ deviceIds: world.space.deviceIds.slice(0, 2) }, 'presence_event_device'],
      [{ lineId: world.space.lineId }, 'PRIMARY'],
    ] as const) {
      database.statements.length = 0
      const variables = { spaceId: world.space.spaceId, filter, first: 20 }
      await events.run(world.user, PRESENCE, variables)
      const [statement = ''] = database.statements
      const ids = [...(filter !== null && 'deviceIds' in filter ? filter.deviceIds : [])]
      const values =
        filter !== null && 'deviceIds' in filter
          ? [ids[0], world.space.spaceId, 21, ids[1], world.space.spaceId, 21, 21]
          : [world.space.spaceId, ...(filter === null ? [] : [world.space.lineId]), 21]
      const text = statement.replace(/^.*?SELECT \/\*\+/, 'SELECT /*+')
      const [plan] = await others.pool.query(`EXPLAIN ${text}`, values)
      const steps = (plan as { table: string; key: string | null; Extra: string | null }[]).filter(
        ({ table }) => table === 'event',
      )
      expect(steps.length).toBeGreaterThan(0)
      for (const step of steps) {
        expect(step.key).toBe(key)
        expect(step.Extra ?? '').not.toMatch(/filesort/)
      }
    }
  })

  it('are for members alone', async () => {
    const { space } = await addHistory(1)
    const variables = { spaceId: space.spaceId }
    expect((await events.run(null, PRESENCE, variables)).errors[0]).toMatch(/^UNAUTHENTICATED/)
    expect((await events.run(asUser(newId()), PRESENCE, variables)).errors[0]).toMatch(/^NOT_FOUND/)
  })
})
