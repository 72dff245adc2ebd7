import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { compareNewestFirst } from './feed-key.ts'
import { targetIdsOf, toFeedNews } from './feed-news.ts'

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
})
