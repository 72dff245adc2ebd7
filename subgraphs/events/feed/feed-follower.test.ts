import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cursorOf, markOf } from '../../shared/graphql/event-cursor.ts'
import { startLiveReader } from '../../shared/live-topic/live-reader.ts'
import type { StreamStart } from '../../shared/live-topic/live-topics.ts'
import { createLogger } from '../../shared/logger.ts'
import { type Mysql, openMysql } from '../../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import {
  createFeedFixture,
  eventsOf,
  type FeedFixture,
  type FeedSpace,
  makeAnomaly,
  makeErrorLog,
  makePresence,
} from './feed-fixture.ts'
import { followFeed } from './feed-follower.ts'

let database: TestDatabase
let others: Mysql
let redis: TestRedis
let liveReader: ReturnType<typeof startLiveReader>
let fixture: FeedFixture
let listener: ReturnType<FeedFixture['createListener']>
beforeAll(async () => {
  database = await openTestDatabase()
  others = openMysql({ url: database.url })
  redis = await openTestRedis()
  const logger = createLogger({ level: 'silent', role: 'test' })
  liveReader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  fixture = createFeedFixture({ db: database.db, others: others.db, redis: redis.live })
  listener = fixture.createListener()
})
afterAll(async () => {
  await liveReader[Symbol.asyncDispose]()
  await Promise.all([others[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
  await database[Symbol.asyncDispose]()
})

/** Follows the feed of a user; `next` answers ids, marks left out. */
async function follow(userId: string, start?: StreamStart) {
  const { watches, access } = fixture
  const stream = await followFeed({ liveReader, watches, access }, userId, start, ({ id }) => ({ id }))
  const marks = [markOf((await stream.next()).value)]
  return {
    marks,
    cursor: marks[0]?.cursor,
    async next() {
      for (;;) {
        const { value, done } = await stream.next()
        if (done) return undefined
        const mark = markOf(value)
        if (mark === undefined) return { id: value?.id, cursor: cursorOf(value) }
        marks.push(mark)
      }
    },
    end: () => stream.return(undefined),
  }
}

/** Tells of an error of a device. Answers its id. */
async function raise(deviceId: string | undefined): Promise<string> {
  const log = makeErrorLog(fixture.placeOf(deviceId ?? ''), Date.now())
  await listener.deliver(eventsOf({ logs: [log] }), { isRepeat: false })
  return log.id
}

/** A space, and a user who watches its first device. */
async function begin(): Promise<{ space: FeedSpace; user: Awaited<ReturnType<FeedFixture['addMember']>> }> {
  const space = await fixture.addSpace()
  const user = await fixture.addMember(space.spaceId)
  await fixture.watch(user, 'DEVICE', space.deviceIds[0] ?? '')
  return { space, user }
}

describe('followFeed', () => {
  it('tells of anomalies that are raised, errors, and devices that go offline, and of nothing else', async () => {
    const { space, user } = await begin()
    const place = fixture.placeOf(space.deviceIds[0] ?? '')
    const other = fixture.placeOf(space.deviceIds[3] ?? '')
    const stream = await follow(user.userId)
    const now = Date.now()
    const error = makeErrorLog(place, now)
    const raised = makeAnomaly(place, now)
    const offline = makePresence(place, now, false)
    await listener.deliver(
      eventsOf({
        logs: [makeErrorLog(place, now, 'WARN'), makeErrorLog(other, now), error],
        anomalies: [
          { change: 'REPEATED', anomaly: makeAnomaly(place, now) },
          { change: 'RAISED', anomaly: raised },
        ],
        presence: [makePresence(place, now, true), offline],
      }),
      { isRepeat: false },
    )
    const ids = [await stream.next(), await stream.next(), await stream.next()].map(item => item?.id)
    expect(ids.sort()).toEqual([error.id, raised.id, offline.id].sort())
    const last = await raise(space.deviceIds[0])
    expect((await stream.next())?.id).toBe(last)
    await stream.end()
  })

  it('heeds watch and unwatch while it runs, with the next item', async () => {
    const { space, user } = await begin()
    const [first, second] = space.deviceIds
    const stream = await follow(user.userId)
    const before = await raise(first)
    expect((await stream.next())?.id).toBe(before)
    await raise(second)
    await fixture.watch(user, 'PROCESS', space.processId)
    const watched = await raise(second)
    expect((await stream.next())?.id).toBe(watched)
    await fixture.watches.remove(user, { kind: 'PROCESS', targetId: space.processId })
    await raise(second)
    const after = await raise(first)
    expect((await stream.next())?.id).toBe(after)
    await stream.end()
  })

  it('tells nothing of a space that its user has left', async () => {
    const { space, user } = await begin()
    const other = await fixture.addSpace()
    await fixture.join(user.userId, other.spaceId)
    await fixture.watch(user, 'SPACE', other.spaceId)
    const stream = await follow(user.userId)
    const before = await raise(space.deviceIds[0])
    expect((await stream.next())?.id).toBe(before)
    await fixture.leave(user.userId, space.spaceId)
    await raise(space.deviceIds[0])
    const after = await raise(other.deviceIds[0])
    expect((await stream.next())?.id).toBe(after)
    await stream.end()
  })

  it('goes on after a cursor with each item once, and says when some may be missing', async () => {
    const { space, user } = await begin()
    const stream = await follow(user.userId)
    await raise(space.deviceIds[0])
    const first = await stream.next()
    await stream.end()
    const missed = [await raise(space.deviceIds[0]), await raise(space.deviceIds[3])]
    const resumed = await follow(user.userId, { after: first?.cursor })
    expect((await resumed.next())?.id).toBe(missed[0])
    const live = await raise(space.deviceIds[0])
    expect((await resumed.next())?.id).toBe(live)
    expect(resumed.marks.some(mark => mark?.isGap)).toBe(false)
    await resumed.end()
    await redis.live.flushdb()
    const late = await follow(user.userId, { after: first?.cursor })
    expect(late.marks).toEqual([expect.objectContaining({ isGap: true })])
    await late.end()
  })

  it('asks for watches once, however many items are none of the user’s', async () => {
    const { space, user } = await begin()
    const stream = await follow(user.userId)
    database.statements.length = 0
    for (let i = 0; i < 20; i++) await raise(space.deviceIds[3])
    const last = await raise(space.deviceIds[0])
    expect((await stream.next())?.id).toBe(last)
    const asked = database.statements.filter(statement => /from `?watch`? left join/i.test(statement))
    expect(asked).toHaveLength(1)
    await stream.end()
  })
})
