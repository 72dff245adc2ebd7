import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { membership } from '../../../schema/mysql/device-tables.ts'
import { watch } from '../../../schema/mysql/watch-tables.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { createLogger } from '../../shared/logger.ts'
import { type Mysql, openMysql } from '../../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { createFeedFixture, eventsOf, type FeedSpace, makeErrorLog } from './feed-fixture.ts'
import { createFeeds, readFeedPage } from './feeds.ts'

const EVENTS = 1_000
const BATCH = 100
const PAGES = 200

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

/** What feeds cost with so many watchers. */
interface Cost {
  readonly callsPerBatch: number
  readonly callsPerPage: number
  readonly statementsPerPage: number
  readonly pageP95Ms: number
  readonly bytesPerFeed: number
  readonly itemsPerFeed: number
}

/** Has `watcherCount` people watch, each the target that `targetOf` names, and counts what 1,000 events cost. */
async function measure(
  watcherCount: number,
  targetOf: (space: FeedSpace, watcher: number) => { kind: 'DEVICE' | 'SPACE'; targetId: string },
): Promise<Cost> {
  const fixture = createFeedFixture({ db: database.db, others: others.db, redis: redis.live })
  const space = await fixture.addSpace(10)
  const { spaceId } = space
  const userIds = Array.from({ length: watcherCount }, newId)
  const since = new Date()
  for (let i = 0; i < userIds.length; i += 500) {
    const some = userIds.slice(i, i + 500)
    await others.db
      .insert(membership)
      .values(some.map(userId => ({ spaceId, userId, role: 'VIEWER' as const, joinedAt: since })))
    await others.db
      .insert(watch)
      .values(some.map((userId, k) => ({ userId, ...targetOf(space, i + k), spaceId, id: newId(), since })))
  }
  const feeds = createFeeds({
    ...{ db: database.db, live: redis.live, livePublisher: fixture.publisher, access: fixture.access },
    liveReader: { subscribe: () => Promise.reject(new TypeError('Expected no follower, got one.')) },
    logger: createLogger({ level: 'silent', role: 'test' }),
  })
  for (const userId of userIds) await feeds.page(userId, readFeedPage({ first: 1 }))

  const listener = fixture.createListener()
  // Who watches what is looked up once, and that a target is watched by many is found out once.
  for (let i = 0; i < 2; i++) {
    const logs = space.deviceIds.map(id => makeErrorLog(fixture.placeOf(id), Date.now()))
    await fixture.commit(eventsOf({ logs }))
    await listener.deliver(eventsOf({ logs }), { isRepeat: false })
    await feeds.page(userIds[0] ?? '', readFeedPage({ first: 1 }))
  }
  let calls = 0
  for (let i = 0; i < EVENTS; i += BATCH) {
    const logs = Array.from({ length: BATCH }, (_, k) =>
      makeErrorLog(fixture.placeOf(space.deviceIds[k % 10] ?? ''), Date.now() + i + k),
    )
    await fixture.commit(eventsOf({ logs }))
    redis.roundTrips.live.length = 0
    await listener.deliver(eventsOf({ logs }), { isRepeat: false })
    calls += redis.roundTrips.live.length
  }

  redis.roundTrips.live.length = 0
  database.statements.length = 0
  const times: number[] = []
  for (let i = 0; i < PAGES; i++) {
    const userId = userIds[(i * 7) % watcherCount] ?? ''
    const begunAt = performance.now()
    const { nodes } = await feeds.page(userId, readFeedPage({ first: 20 }))
    times.push(performance.now() - begunAt)
    expect(nodes).toHaveLength(20)
  }
  times.sort((a, b) => a - b)
  const callsPerPage = redis.roundTrips.live.length / PAGES
  const statementsPerPage = database.statements.length / PAGES
  const isWide = (await redis.live.sismember(redisKeys.wideFeedTargets(), spaceId)) === 1
  const key = isWide ? redisKeys.feedOfTarget(spaceId) : redisKeys.feedOfUser(userIds[0] ?? '')
  return {
    callsPerBatch: (calls / EVENTS) * BATCH,
    callsPerPage,
    statementsPerPage,
    pageP95Ms: times[Math.floor(PAGES * 0.95)] ?? 0,
    bytesPerFeed: Number(await redis.live.memory('USAGE', key)),
    itemsPerFeed: await redis.live.zcard(key),
  }
}

describe('what feeds cost', () => {
  it.each([
    [
      'a device of ten each',
      (space: FeedSpace, i: number) => ({ kind: 'DEVICE' as const, targetId: space.deviceIds[i % 10] ?? '' }),
    ],
    ['the space', (space: FeedSpace) => ({ kind: 'SPACE' as const, targetId: space.spaceId })],
  ])('does not grow from 10 to 1,000 watchers of %s', async (_, targetOf) => {
    const few = await measure(10, targetOf)
    const many = await measure(1_000, targetOf)
    for (const cost of [few, many]) {
      // The sets in one call, the topic in the other.
      expect(cost.callsPerBatch).toBeCloseTo(2)
      expect(cost.callsPerPage).toBe(1)
      // Watches and logs: roles are remembered.
      expect(cost.statementsPerPage).toBe(2)
      expect(cost.bytesPerFeed / cost.itemsPerFeed).toBeLessThan(250)
      expect(cost.itemsPerFeed).toBeLessThanOrEqual(1_001)
    }
    expect(many.pageP95Ms).toBeLessThan(Math.max(25, 3 * few.pageP95Ms))
  })
})
