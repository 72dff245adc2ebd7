import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StateEvent } from '../../../schema/live-event.ts'
import { LIVE_TOPIC_MAX_ENTRIES, redisKeys } from '../../../schema/redis-keys.ts'
import { startRedis } from '../embedded/redis.ts'
import { createLogger } from '../logger.ts'
import { openRedis } from '../redis/open-redis.ts'
import { openTestRedis, type TestRedis } from '../testkit/open-test-redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { createLivePublisher } from './live-publisher.ts'
import { startLiveReader } from './live-reader.ts'
import type { LiveDelivery } from './live-topics.ts'

const logger = createLogger({ level: 'silent', role: 'test' })

let redis: TestRedis
beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
})

function stateEvents(spaceId: string, count: number, from = 0): StateEvent[] {
  return Array.from({ length: count }, (_, i) => ({
    deviceId: 'device',
    spaceId,
    at: from + i,
    status: 'IDLE' as const,
    metrics: null,
  }))
}

interface Taken {
  readonly event: StateEvent
  readonly cursor: string
}

/** Takes that many events and the marks between them, which must not tell of a gap. */
async function take(iterator: AsyncIterator<LiveDelivery<'state'>>, count: number): Promise<Taken[]> {
  const taken: Taken[] = []
  while (taken.length < count) {
    const { value, done } = await iterator.next()
    if (done) throw new Error('the topic ended')
    if (value.event !== null) taken.push(value)
    else if (value.isGap) throw new Error('the topic has a gap')
  }
  return taken
}

const times = (taken: Taken[]) => taken.map(({ event }) => event.at)
const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)
const open = () => startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })

describe('the live publisher', () => {
  it('publishes many events of many spaces in one round trip, at most 100 an entry', async () => {
    const publisher = createLivePublisher({ redis: redis.live })
    const [a, b] = [newId(), newId()]
    redis.roundTrips.live.length = 0
    await publisher.publish('state', [
      ...stateEvents(a, 150),
      ...stateEvents(b, 1),
      ...stateEvents(a, 50, 150),
    ])
    expect(redis.roundTrips.live).toEqual([['xadd', 'xadd', 'xadd']])
    const entries = await redis.live.xrange(redisKeys.liveTopic('state', a), '-', '+')
    const batches = entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as StateEvent[])
    expect(batches.map(batch => batch.length)).toEqual([100, 100])
    expect(batches.flat().map(event => event.at)).toEqual(range(200))
  })

  it('caps a topic', async () => {
    const publisher = createLivePublisher({ redis: redis.live })
    const spaceId = newId()
    await publisher.publish('state', stateEvents(spaceId, LIVE_TOPIC_MAX_ENTRIES * 100 + 50_000))
    const length = await redis.live.xlen(redisKeys.liveTopic('state', spaceId))
    expect(length).toBeGreaterThanOrEqual(LIVE_TOPIC_MAX_ENTRIES)
    expect(length).toBeLessThan(LIVE_TOPIC_MAX_ENTRIES + 200)
  })

  it('closes an entry of large events by bytes', async () => {
    const spaceId = newId()
    const [event] = stateEvents(spaceId, 1)
    if (event === undefined) throw new Error('no event')
    const large = { ...event, metrics: { text: 'x'.repeat(40_000) } }
    await createLivePublisher({ redis: redis.live }).publish('state', [large, large, large])
    expect(await redis.live.xlen(redisKeys.liveTopic('state', spaceId))).toBe(3)
  })

  it('rejects with UNAVAILABLE when Redis is away', async () => {
    const dead = openRedis({ url: '/tmp/nuvion-no-such.sock', name: 'dead' })
    const publish = createLivePublisher({ redis: dead.redis }).publish('state', stateEvents(newId(), 1))
    await expect(publish).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await dead[Symbol.asyncDispose]()
  })
})

describe('the live reader', () => {
  it('delivers what is published after subscribing, in order, with rising cursors, and nothing older', async () => {
    await using reader = open()
    const publisher = createLivePublisher({ redis: redis.live })
    const spaceId = newId()
    await publisher.publish('state', stateEvents(spaceId, 5))
    const topic = await reader.subscribe('state', spaceId)
    await publisher.publish('state', stateEvents(spaceId, 150, 5))
    await publisher.publish('state', stateEvents(spaceId, 3, 155))
    const deliveries = await take(topic, 153)
    expect(times(deliveries)).toEqual(range(153, 5))
    expect(deliveries[0]?.cursor).toMatch(/^\d+-\d+\.0$/)
    expect(deliveries[99]?.cursor).toMatch(/^\d+-\d+\.99$/)
  })

  it('joins topics to a read that already waits, without waiting for its end', async () => {
    await using reader = open()
    const publisher = createLivePublisher({ redis: redis.live })
    const spaces = range(20).map(newId)
    const started = performance.now()
    for (const spaceId of spaces) {
      const topic = await reader.subscribe('state', spaceId)
      await publisher.publish('state', stateEvents(spaceId, 1, 7))
      expect(times(await take(topic, 1))).toEqual([7])
    }
    expect(performance.now() - started).toBeLessThan(2_500)
  })

  it('gives a later subscriber of a followed topic only what came later', async () => {
    await using reader = open()
    const publisher = createLivePublisher({ redis: redis.live })
    const spaceId = newId()
    const first = await reader.subscribe('state', spaceId)
    await publisher.publish('state', stateEvents(spaceId, 1, 1))
    const second = await reader.subscribe('state', spaceId)
    await publisher.publish('state', stateEvents(spaceId, 1, 2))
    expect(times(await take(first, 2))).toEqual([1, 2])
    expect(times(await take(second, 1))).toEqual([2])
  })

  it('uses one blocking connection whatever the number of topics', async () => {
    await using reader = open()
    const count = async () => {
      const list = String(await redis.live.client('LIST'))
      const db = new URL(redis.liveUrl).searchParams.get('db')
      return list.split('\n').filter(line => line.includes('name=live-reader') && line.includes(` db=${db} `))
        .length
    }
    for (const spaceId of range(5).map(newId)) await reader.subscribe('state', spaceId)
    expect(await count()).toBe(1)
  })

  it('ends at once on return() while a next() waits', async () => {
    await using reader = open()
    const topic = await reader.subscribe('state', newId())
    await topic.next()
    const pending = topic.next()
    await topic.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(await topic.next()).toEqual({ done: true, value: undefined })
  })

  it('keeps the others when one subscriber leaves, and follows anew a topic that all had left', async () => {
    await using reader = open()
    const publisher = createLivePublisher({ redis: redis.live })
    const spaceId = newId()
    const [first, second] = [
      await reader.subscribe('state', spaceId),
      await reader.subscribe('state', spaceId),
    ]
    await first.return?.()
    await publisher.publish('state', stateEvents(spaceId, 1, 1))
    expect(times(await take(second, 1))).toEqual([1])
    await second.return?.()
    await publisher.publish('state', stateEvents(spaceId, 1, 2))
    const third = await reader.subscribe('state', spaceId)
    await publisher.publish('state', stateEvents(spaceId, 1, 3))
    expect(times(await take(third, 1))).toEqual([3])
  })

  it('leaves a subscriber that does not read until it does, and loses nothing of it', async () => {
    await using reader = open()
    const publisher = createLivePublisher({ redis: redis.live })
    const spaceId = newId()
    const slow = await reader.subscribe('state', spaceId)
    const quick = await reader.subscribe('state', spaceId)
    const quickly = take(quick, 1_200)
    await publisher.publish('state', stateEvents(spaceId, 1_200))
    expect(times(await quickly)).toEqual(range(1_200))
    expect(times(await take(slow, 1_200))).toEqual(range(1_200))
    await publisher.publish('state', stateEvents(spaceId, 1, 1_200))
    expect(times(await take(slow, 1))).toEqual([1_200])
  })

  it('passes over an entry that is not readable', async () => {
    await using reader = open()
    const spaceId = newId()
    const topic = await reader.subscribe('state', spaceId)
    await redis.live.xadd(redisKeys.liveTopic('state', spaceId), '*', 'v', '{broken')
    await createLivePublisher({ redis: redis.live }).publish('state', stateEvents(spaceId, 1, 4))
    expect(times(await take(topic, 1))).toEqual([4])
  })

  it('loses nothing when its connection breaks', async () => {
    await using reader = open()
    const publisher = createLivePublisher({ redis: redis.live })
    const spaceId = newId()
    const topic = await reader.subscribe('state', spaceId)
    const taking = take(topic, 40)
    for (let i = 0; i < 40; i++) {
      await publisher.publish('state', stateEvents(spaceId, 1, i))
      if (i % 10 === 5) await killReaders()
    }
    expect(times(await taking)).toEqual(range(40))
  })

  it('rejects what waits when it is closed, and refuses new subscribers', async () => {
    const reader = open()
    const topic = await reader.subscribe('state', newId())
    await topic.next()
    const pending = topic.next()
    pending.catch(() => {})
    await reader[Symbol.asyncDispose]()
    await expect(pending).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(reader.subscribe('state', newId())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  /** Breaks the blocking connections of this file's database. */
  async function killReaders(): Promise<void> {
    const db = new URL(redis.liveUrl).searchParams.get('db')
    const list = String(await redis.live.client('LIST'))
    for (const line of list.split('\n')) {
      const id = /^id=(\d+) /.exec(line)?.[1]
      if (id !== undefined && line.includes('name=live-reader') && line.includes(` db=${db} `))
        await redis.live.call('CLIENT', 'KILL', 'ID', id)
    }
  }
})

describe('the live reader of a Redis that fails', () => {
  it('follows on after a restart that kept the data, and tells subscribers of a gap when the data are gone', async () => {
    const { mkdtempSync, rmSync } = await import('node:fs')
    const dir = mkdtempSync('/tmp/nuvion-live-')
    const start = () => startRedis({ dataDir: `${dir}/redis`, name: 'live', appendfsync: 'always' })
    let server = await start()
    const client = openRedis({ url: server.url, name: 'commands' })
    const reader = startLiveReader({ url: server.url, redis: client.redis, logger })
    const publisher = createLivePublisher({ redis: client.redis })
    const spaceId = newId()
    const publish = (at: number) =>
      waitFor(() => publisher.publish('state', stateEvents(spaceId, 1, at)).then(() => true))
    try {
      const topic = await reader.subscribe('state', spaceId)
      await publish(1)
      expect(times(await take(topic, 1))).toEqual([1])
      await server.close()
      server = await start()
      await publish(2)
      expect(times(await take(topic, 1))).toEqual([2])

      const pending = topic.next()
      await server.close()
      rmSync(`${dir}/redis`, { recursive: true })
      server = await start()
      expect((await pending).value).toEqual({ event: null, cursor: '0-0.99', isGap: true })
      await publish(3)
      expect(times(await take(topic, 1))).toEqual([3])
    } finally {
      await reader[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
      await server.close()
      rmSync(dir, { recursive: true, force: true })
    }
  })
})
