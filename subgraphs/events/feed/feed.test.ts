import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { device, line, space } from '../../../schema/mysql/device-tables.ts'
import { eq } from '../../../schema/mysql/drizzle.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import type { UserViewer } from '../../shared/auth/viewer.ts'
import { type Mysql, openMysql } from '../../shared/mysql/open-mysql.ts'
import type { CommittedEvents } from '../../shared/outbox-listener.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { createRandom } from '../../shared/testkit/random.ts'
import {
  createFeedFixture,
  eventsOf,
  type FeedSpace,
  makeAnomaly,
  makeErrorLog,
  makePresence,
} from './feed-fixture.ts'
import { compareNewestFirst, serializeFeedKey } from './feed-key.ts'
import { targetIdsOf, toFeedNews } from './feed-news.ts'
import { listNewestFeedKeys } from './feed-repository.ts'
import type { WatchKind, WatchTarget } from './watch-repository.ts'

let database: TestDatabase
let others: Mysql
let redis: TestRedis
beforeAll(async () => {
  database = await openTestDatabase()
  others = openMysql({ url: database.url })
  redis = await openTestRedis()
})
afterAll(async () => {
  await Promise.all([others[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
  await database[Symbol.asyncDispose]()
})

const open = (limits: { maxItems?: number; maxWatchers?: number; maxWatches?: number } = {}) =>
  createFeedFixture({ db: database.db, others: others.db, redis: redis.live, ...limits })

/** Makes random events of the spaces, around now. */
function makeEvents(
  fixture: ReturnType<typeof open>,
  spaces: readonly FeedSpace[],
  random: () => number,
  count: number,
): CommittedEvents {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const events = { logs: [], anomalies: [], presence: [] } as {
    [K in keyof CommittedEvents]: CommittedEvents[K][number][]
  }
  for (let i = 0; i < count; i++) {
    const place = fixture.placeOf(pick(pick(spaces).deviceIds))
    const at = Date.now() - Math.floor(random() * 100_000)
    const kind = random()
    if (kind < 0.4) events.logs.push(makeErrorLog(place, at, random() < 0.3 ? 'WARN' : 'ERROR'))
    else if (kind < 0.7)
      events.anomalies.push({
        change: random() < 0.2 ? 'REPEATED' : 'RAISED',
        anomaly: makeAnomaly(place, at),
      })
    else events.presence.push(makePresence(place, at, random() < 0.4))
  }
  return events
}

/** What the feed of the targets is to be. */
function expectedKeys(
  fixture: ReturnType<typeof open>,
  all: readonly CommittedEvents[],
  targetIds: ReadonlySet<string>,
): string[] {
  return all
    .flatMap(events =>
      toFeedNews(
        events,
        new Map(events.presence.map(({ deviceId }) => [deviceId, fixture.placeOf(deviceId)])),
      ),
    )
    .filter(news => targetIdsOf(news).some(id => targetIds.has(id)))
    .map(({ id }) => id)
    .sort(compareNewestFirst)
}

describe('feeds', () => {
  it.each([1, 2, 3])(
    'a feed that was written, one that was rebuilt and what was committed are the same (seed %i)',
    async seed => {
      const random = createRandom(seed)
      const maxItems = 60
      const fixture = open({ maxItems, maxWatchers: 2 })
      const spaces = [await fixture.addSpace(), await fixture.addSpace()]
      const targets = spaces.flatMap(one => [
        { kind: 'SPACE' as const, id: one.spaceId },
        { kind: 'LINE' as const, id: one.lineId },
        { kind: 'PROCESS' as const, id: one.processId },
        ...one.deviceIds.map(id => ({ kind: 'DEVICE' as const, id })),
      ])
      const users = await Promise.all(
        Array.from({ length: 8 }, () => fixture.addMember(...spaces.map(({ spaceId }) => spaceId))),
      )
      const watched = new Map(users.map(({ userId }) => [userId, new Set<string>()]))
      const listeners = [fixture.createListener(), fixture.createListener()]
      const committed: CommittedEvents[] = []
      let mostWide = 0
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T

      const deliver = async (events: CommittedEvents) => {
        const listener = pick(listeners)
        await listener.deliver(events, { isRepeat: false })
        if (random() < 0.2) await listener.deliver(events, { isRepeat: true })
      }
      const check = async (user: UserViewer) => {
        const keys = await fixture.readAll(user.userId, 7)
        const wanted = expectedKeys(fixture, committed, watched.get(user.userId) ?? new Set())
        expect(keys.slice(0, maxItems)).toEqual(wanted.slice(0, maxItems))
        expect(keys).toEqual(wanted.slice(0, keys.length))
      }

      for (let round = 0; round < 100; round++) {
        const user = pick(users)
        const target = pick(targets)
        const ofUser = watched.get(user.userId) ?? new Set()
        if (random() < 0.15) {
          await fixture.watches.remove(user, { kind: target.kind, targetId: target.id })
          ofUser.delete(target.id)
        } else if (random() < 0.7) {
          await fixture.watch(user, target.kind, target.id)
          ofUser.add(target.id)
        }
        if (random() < 0.05) await redis.live.del(redisKeys.wideFeedTargets(), redisKeys.watchVersion())
        const events = makeEvents(fixture, spaces, random, 1 + Math.floor(random() * 12))
        await fixture.commit(events)
        committed.push(events)
        // Reads, and so fillings, run while the batch is told of.
        await Promise.all([deliver(events), fixture.readAll(pick(users).userId)])
        await check(pick(users))
        mostWide = Math.max(mostWide, await redis.live.scard(redisKeys.wideFeedTargets()))
      }
      for (const user of users) await check(user)
      expect(mostWide).toBeGreaterThan(0)
      await redis.live.flushdb()
      for (const user of users) await check(user)
    },
  )

  const readFirst = (fixture: ReturnType<typeof open>, { userId }: UserViewer) => fixture.readAll(userId)

  /** Commits and tells of a log of the device. Answers its key. */
  async function raise(fixture: ReturnType<typeof open>, deviceId: string): Promise<string> {
    const item = makeErrorLog(fixture.placeOf(deviceId), Date.now())
    const events = eventsOf({ logs: [item] })
    await fixture.commit(events)
    await fixture.createListener().deliver(events, { isRepeat: false })
    return serializeFeedKey({ ...item, kind: 'log' })
  }

  it('a watch brings what was before it, and unwatching takes it away, at once', async () => {
    const fixture = open()
    const space = await fixture.addSpace()
    const [first = '', second = ''] = space.deviceIds
    const user = await fixture.addMember(space.spaceId)
    const keys = [await raise(fixture, first), await raise(fixture, second)]
    expect(await readFirst(fixture, user)).toEqual([])
    await fixture.watch(user, 'DEVICE', first)
    expect(await readFirst(fixture, user)).toEqual([keys[0]])
    await fixture.watch(user, 'LINE', space.lineId)
    expect((await readFirst(fixture, user)).sort()).toEqual([...keys].sort())
    await fixture.watches.remove(user, { kind: 'LINE', targetId: space.lineId })
    expect(await readFirst(fixture, user)).toEqual([keys[0]])
    await fixture.watches.remove(user, { kind: 'LINE', targetId: first })
    expect(await readFirst(fixture, user)).toEqual([keys[0]])
    await fixture.watches.remove(user, { kind: 'DEVICE', targetId: first })
    expect(await readFirst(fixture, user)).toEqual([])
  })

  it('who leaves a space has nothing of it any more, nor when they come back; others of theirs stay', async () => {
    const fixture = open()
    const [space, other] = [await fixture.addSpace(), await fixture.addSpace()]
    const user = await fixture.addMember(space.spaceId, other.spaceId)
    await fixture.watch(user, 'SPACE', space.spaceId)
    await fixture.watch(user, 'SPACE', other.spaceId)
    await raise(fixture, space.deviceIds[0] ?? '')
    const kept = await raise(fixture, other.deviceIds[0] ?? '')
    expect(await readFirst(fixture, user)).toHaveLength(2)
    await fixture.leave(user.userId, space.spaceId)
    expect(await readFirst(fixture, user)).toEqual([kept])
    await fixture.join(user.userId, space.spaceId)
    expect(await readFirst(fixture, user)).toEqual([kept])
    expect(await fixture.watches.list(user.userId)).toMatchObject([{ targetId: other.spaceId }])
  })

  it('a deleted space leaves the feed, and is there again with its watch when it is restored', async () => {
    const fixture = open()
    const { spaceId, deviceIds } = await fixture.addSpace()
    const user = await fixture.addMember(spaceId)
    await fixture.watch(user, 'SPACE', spaceId)
    const key = await raise(fixture, deviceIds[0] ?? '')
    const setDeleted = async (deletedAt: Date | null) => {
      await others.db.update(space).set({ deletedAt }).where(eq(space.id, spaceId))
      fixture.access.flush(undefined, spaceId)
    }
    expect(await readFirst(fixture, user)).toEqual([key])
    await setDeleted(new Date())
    expect(await readFirst(fixture, user)).toEqual([])
    await setDeleted(null)
    expect(await readFirst(fixture, user)).toEqual([key])
  })

  it('removed targets vanish from the watches; a person watches so many at most, and one target once', async () => {
    const fixture = open({ maxWatches: 3 })
    const space = await fixture.addSpace()
    const user = await fixture.addMember(space.spaceId)
    const [first = '', ...rest] = space.deviceIds
    await fixture.watch(user, 'DEVICE', first)
    const [before] = await fixture.watches.list(user.userId)
    await fixture.watch(user, 'DEVICE', first)
    await fixture.watch(user, 'LINE', space.lineId)
    await fixture.watch(user, 'PROCESS', space.processId)
    const target = { kind: 'DEVICE' as const, targetId: rest[0] ?? '', spaceId: space.spaceId }
    expect(await fixture.watches.add(user, target)).toBeNull()
    expect((await fixture.watches.list(user.userId)).map(({ kind }) => kind)).toEqual([
      'DEVICE',
      'LINE',
      'PROCESS',
    ])
    expect((await fixture.watches.list(user.userId))[0]).toEqual(before)
    await others.db.update(device).set({ removed: true }).where(eq(device.id, first))
    await others.db.update(line).set({ removed: true }).where(eq(line.id, space.lineId))
    expect((await fixture.watches.list(user.userId)).map(({ kind }) => kind)).toEqual(['PROCESS'])
    expect(await fixture.watches.findTarget('DEVICE', first)).toBeUndefined()
  })

  it('reads an index in order for each target, and sorts no table', async () => {
    const fixture = open()
    const [space, other] = [await fixture.addSpace(), await fixture.addSpace()]
    const target = (kind: WatchKind, targetId: string) => ({ kind, targetId, spaceId: space.spaceId })
    const targets = [
      target('DEVICE', space.deviceIds[3] ?? ''),
      target('LINE', space.lineId),
      target('PROCESS', space.processId),
      { kind: 'SPACE' as const, targetId: other.spaceId, spaceId: other.spaceId },
    ]
    await raise(fixture, space.deviceIds[0] ?? '')
    database.statements.length = 0
    await listNewestFeedKeys(database.db, targets, 100)
    expect(database.statements).toHaveLength(2)
    const plan = await explain(database.statements[1] ?? '', targets)
    expect(plan.length).toBeGreaterThan(10)
    for (const step of plan) {
      expect(step.Extra ?? '').not.toMatch(/filesort/)
      expect(step.type).toMatch(/ref|range/)
    }
  })
})

/** Steps of the plan that read tables. */
async function explain(statement: string, targets: readonly WatchTarget[]) {
  const ids = targets.map(({ targetId }) => targetId)
  let next = 0
  const text = statement
    .replaceAll('?', () => `'${ids[next++ % ids.length]}'`)
    .replaceAll(/LIMIT '[^']*'/g, 'LIMIT 100')
  const [rows] = await database.pool.query(`EXPLAIN ${text}`)
  const steps = rows as { table: string | null; type: string; Extra: string | null }[]
  return steps.filter(({ table }) => table !== null && !table.startsWith('<') && !table.startsWith('branch'))
}
