import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StateEvent } from '../../../schema/live-event.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { createLogger } from '../logger.ts'
import { openRedis } from '../redis/open-redis.ts'
import { openTestRedis, type TestRedis } from '../testkit/open-test-redis.ts'
import { takeAll } from '../testkit/take-all.ts'
import { newId } from '../uuid-v7.ts'
import { createLivePublisher } from './live-publisher.ts'
import { startLiveReader } from './live-reader.ts'
import type { LiveDelivery, StreamStart } from './live-topics.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const EMPTY = '0-0.99'

let redis: TestRedis
beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
})

const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)
const open = (maxBufferedEvents?: number) =>
  startLiveReader({ url: redis.liveUrl, redis: redis.live, logger, maxBufferedEvents })

/** A topic of a space of its own; `publish` puts events of these times into one entry. */
function createTopic() {
  const spaceId = newId()
  const key = redisKeys.liveTopic('state', spaceId)
  const event = (at: number): StateEvent => ({ deviceId: 'd', spaceId, at, status: 'IDLE', metrics: null })
  const publisher = createLivePublisher({ redis: redis.live })
  return {
    key,
    publish: (...times: number[]) => publisher.publish('state', times.map(event)),
    /** Ids of its entries. */
    ids: async () => (await redis.live.xrange(key, '-', '+')).map(([id]) => id),
    follow: (reader: ReturnType<typeof open>, start?: StreamStart) =>
      reader.subscribe('state', spaceId, start),
  }
}

type Stream = AsyncIterator<LiveDelivery<'state'>>

async function next(stream: Stream): Promise<LiveDelivery<'state'>> {
  const { value, done } = await stream.next()
  if (done) throw new Error('the stream ended')
  return value
}

/** What comes up to that many deliveries, each event as its time, marks as they are without `event`. */
async function take(stream: Stream, count: number): Promise<unknown[]> {
  const taken: unknown[] = []
  while (taken.length < count) taken.push(plain(await next(stream)))
  return taken
}

const takeWhole = async (stream: AsyncIterable<LiveDelivery<'state'>>) => (await takeAll(stream)).map(plain)

function plain(delivery: LiveDelivery<'state'>): unknown {
  return delivery.event === null ? mark(delivery.cursor, delivery.isGap) : delivery.event.at
}

const mark = (cursor: string | undefined, isGap = false) => ({ cursor, isGap })
const endOf = (id: string | undefined) => `${id}.99`

describe('a stream', () => {
  it('opens with a mark at the tail', async () => {
    await using reader = open()
    const topic = createTopic()
    expect(await take(await topic.follow(reader), 1)).toEqual([mark(EMPTY)])
    await topic.publish(1)
    const [id] = await topic.ids()
    expect(await take(await topic.follow(reader), 1)).toEqual([mark(endOf(id))])
  })

  it('continues after any cursor that it gave, within an entry too, and is live then', async () => {
    await using reader = open()
    const topic = createTopic()
    const source = await topic.follow(reader)
    await topic.publish(...range(3))
    await topic.publish(...range(120, 3))
    await topic.publish(123)
    const deliveries = [await next(source)]
    while (deliveries.length < 125) deliveries.push(await next(source))
    // One more event is published at each step, so that there are always 124 after the cursor.
    for (const [step, { cursor }] of deliveries.entries()) {
      const resumed = await topic.follow(reader, { after: cursor })
      const tail = endOf((await topic.ids()).at(-1))
      expect(await take(resumed, 126)).toEqual([mark(cursor), ...range(124, step), mark(tail)])
      const live = take(resumed, 1)
      await topic.publish(124 + step)
      expect(await live).toEqual([124 + step])
      await resumed.return?.()
    }
  })

  it('has a gap when its cursor was trimmed, and goes on from the tail', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(4)) await topic.publish(at)
    const ids = await topic.ids()
    await redis.live.xtrim(topic.key, 'MAXLEN', 2)
    const stream = await topic.follow(reader, { after: `${ids[1]}.0` })
    expect(await take(stream, 2)).toEqual([mark(endOf(ids[3]), true), mark(endOf(ids[3]))])
    await topic.publish(4)
    expect(await take(stream, 1)).toEqual([4])
    const kept = await topic.follow(reader, { after: `${ids[2]}.0` })
    expect(await take(kept, 3)).toEqual([mark(`${ids[2]}.0`), 3, 4])
  })

  it('has a gap after the cursor of an empty topic only when something of the topic was trimmed', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(3)) await topic.publish(at)
    expect(await take(await topic.follow(reader, { after: EMPTY }), 4)).toEqual([mark(EMPTY), 0, 1, 2])
    await redis.live.xtrim(topic.key, 'MAXLEN', 2)
    const tail = endOf((await topic.ids()).at(-1))
    expect(await take(await topic.follow(reader, { after: EMPTY }), 1)).toEqual([mark(tail, true)])
  })

  it('has a gap after a cursor of another topic or of the future', async () => {
    await using reader = open()
    const topic = createTopic()
    expect(await take(await topic.follow(reader, { after: '1-0.0' }), 1)).toEqual([mark(EMPTY, true)])
    expect(await take(await topic.follow(reader, { after: '999999999999999-0.0' }), 1)).toEqual([
      mark(EMPTY, true),
    ])
  })

  it('has a gap when it is trimmed while it is read', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(20)) await topic.publish(at)
    const [first] = await topic.ids()
    const stream = await topic.follow(reader, { after: `${first}.0` })
    expect(await take(stream, 3)).toEqual([mark(`${first}.0`), 1, 2])
    await redis.live.xtrim(topic.key, 'MAXLEN', 1)
    const rest = [await next(stream)]
    while (rest.at(-1)?.event !== null) rest.push(await next(stream))
    // What was in memory already, then the gap.
    const events = rest.slice(0, -1).map(plain)
    expect(events).toEqual(range(events.length, 3))
    const tail = endOf((await topic.ids()).at(-1))
    expect(rest.map(plain).at(-1)).toEqual(mark(tail, true))
    expect(await take(stream, 1)).toEqual([mark(tail)])
    await topic.publish(20)
    expect(await take(stream, 1)).toEqual([20])
  })

  it('has a gap when the whole topic is written past a reader between two of its reads', async () => {
    await using reader = open(10)
    const topic = createTopic()
    await topic.publish(0)
    const stream = await topic.follow(reader)
    await next(stream)
    const waiting = next(stream)
    // In one step of Redis: the blocked read is answered with what is left.
    const burst = redis.live.multi()
    for (const at of range(30, 1))
      burst.xadd(topic.key, 'MAXLEN', 8, '*', 'v', JSON.stringify([{ deviceId: 'd', at }]))
    await burst.exec()
    expect(await waiting).toEqual({
      event: null,
      cursor: endOf((await topic.ids()).at(-1)),
      isGap: true,
    })
  })

  it('reads what was missed as it is taken, in small parts', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(101)) await topic.publish(at)
    const stream = await topic.follow(reader, { after: `${(await topic.ids())[0]}.0` })
    redis.roundTrips.live.length = 0
    expect(await take(stream, 1)).toHaveLength(1)
    expect(redis.roundTrips.live).toEqual([])
    expect(await take(stream, 4)).toEqual(range(4, 1))
    expect(redis.roundTrips.live).toEqual([['xrange']])
    expect(await take(stream, 96)).toEqual(range(96, 5))
    expect(redis.roundTrips.live).toHaveLength(25)
    expect(reader.topicCount).toBe(0)
  })

  it('falls back to reading when its buffer is full, and is live again when it has caught up', async () => {
    await using reader = open(10)
    const topic = createTopic()
    const [slow, quick] = [await topic.follow(reader), await topic.follow(reader)]
    const quickly = take(quick, 31)
    for (const at of range(30)) await topic.publish(at)
    expect((await quickly).slice(1)).toEqual(range(30))
    const tail = endOf((await topic.ids()).at(-1))
    expect(await take(slow, 32)).toEqual([mark(EMPTY), ...range(30), mark(tail)])
    const live = take(slow, 1)
    redis.roundTrips.live.length = 0
    await topic.publish(30)
    expect(await live).toEqual([30])
    expect(redis.roundTrips.live.flat()).not.toContain('xrange')
  })

  it('has a gap when its buffer was full and the topic was trimmed past it', async () => {
    await using reader = open(10)
    const topic = createTopic()
    const [slow, quick] = [await topic.follow(reader), await topic.follow(reader)]
    const quickly = take(quick, 31)
    await topic.publish(0)
    expect(await take(slow, 2)).toEqual([mark(EMPTY), 0])
    for (const at of range(29, 1)) await topic.publish(at)
    await quickly
    await redis.live.xtrim(topic.key, 'MAXLEN', 2)
    const tail = endOf((await topic.ids()).at(-1))
    expect(await take(slow, 2)).toEqual([mark(tail, true), mark(tail)])
  })

  it('is refused with a malformed cursor', async () => {
    await using reader = open()
    await expect(createTopic().follow(reader, { after: '$.0' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
    expect(reader.subscriptionCount).toBe(0)
  })

  it('passes over entries that are not readable', async () => {
    await using reader = open()
    const topic = createTopic()
    await topic.publish(0)
    const [first] = await topic.ids()
    for (let i = 0; i < 10; i++) await redis.live.xadd(topic.key, '*', 'v', '{broken')
    await topic.publish(1)
    const tail = endOf((await topic.ids()).at(-1))
    const stream = await topic.follow(reader, { after: `${first}.0` })
    expect(await take(stream, 3)).toEqual([mark(`${first}.0`), 1, mark(tail)])
  })

  it('leaves nothing behind when it is returned, whatever it was doing', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(10)) await topic.publish(at)
    const after = `${(await topic.ids())[0]}.0`
    const streams = await Promise.all(
      [undefined, { after }, { after }, { after }, { after, isReplay: true }].map(start =>
        topic.follow(reader, start),
      ),
    )
    const [live, pulling, caughtUp, unread, replay] = streams as Stream[]
    if (!live || !pulling || !caughtUp || !unread || !replay) throw new Error('no streams')
    await next(live)
    await next(pulling)
    await take(caughtUp, 11)
    await next(replay)
    expect([reader.subscriptionCount, reader.topicCount]).toEqual([5, 1])
    const pending = [live, pulling, caughtUp, replay].map(stream => stream.next())
    await Promise.all(streams.map(stream => stream.return?.()))
    expect(await Promise.all(pending)).toEqual(pending.map(() => ({ done: true, value: undefined })))
    expect(await unread.next()).toEqual({ done: true, value: undefined })
    expect([reader.subscriptionCount, reader.topicCount]).toEqual([0, 0])
  })

  it('rejects with UNAVAILABLE while it reads and the reader closes', async () => {
    const reader = open()
    const topic = createTopic()
    for (const at of range(3)) await topic.publish(at)
    const stream = await topic.follow(reader, { after: EMPTY })
    await next(stream)
    const pending = stream.next()
    pending.catch(() => {})
    await reader[Symbol.asyncDispose]()
    await expect(pending).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  it('is refused with UNAVAILABLE after a deadline while Redis is away', async () => {
    const dead = openRedis({ url: '/tmp/nuvion-no-such.sock', name: 'dead' })
    const reader = startLiveReader({
      url: '/tmp/nuvion-no-such.sock',
      redis: dead.redis,
      logger,
      deadlineMs: 300,
    })
    for (const start of [{}, { after: EMPTY }])
      await expect(createTopic().follow(reader, start)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await reader[Symbol.asyncDispose]()
    await dead[Symbol.asyncDispose]()
  })
})

describe('a replay', () => {
  it('ends at the tail of when it began, with a mark, and never joins the live flow', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(12)) await topic.publish(at)
    const ids = await topic.ids()
    const replay = await topic.follow(reader, { after: `${ids[1]}.0`, isReplay: true })
    await topic.publish(12)
    expect(await takeWhole(replay)).toEqual([mark(`${ids[1]}.0`), ...range(10, 2), mark(endOf(ids[11]))])
    expect([reader.subscriptionCount, reader.topicCount]).toEqual([0, 0])
  })

  it('of nothing is its two marks', async () => {
    await using reader = open()
    const topic = createTopic()
    expect(await takeWhole(await topic.follow(reader, { after: EMPTY, isReplay: true }))).toEqual([
      mark(EMPTY),
      mark(EMPTY),
    ])
    await topic.publish(...range(3))
    const [id] = await topic.ids()
    const whole = [mark(endOf(id)), mark(endOf(id))]
    expect(await takeWhole(await topic.follow(reader, { isReplay: true }))).toEqual(whole)
    expect(await takeWhole(await topic.follow(reader, { after: endOf(id), isReplay: true }))).toEqual(whole)
    expect(await takeWhole(await topic.follow(reader, { after: `${id}.1`, isReplay: true }))).toEqual([
      mark(`${id}.1`),
      2,
      mark(endOf(id)),
    ])
  })

  it('of what is trimmed is a gap', async () => {
    await using reader = open()
    const topic = createTopic()
    for (const at of range(3)) await topic.publish(at)
    const ids = await topic.ids()
    await redis.live.xtrim(topic.key, 'MAXLEN', 1)
    const replay = await topic.follow(reader, { after: `${ids[0]}.0`, isReplay: true })
    expect(await takeWhole(replay)).toEqual([mark(endOf(ids[2]), true), mark(endOf(ids[2]))])
  })
})
