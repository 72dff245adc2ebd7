import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import {
  GRACE_MS,
  openTestDoor,
  readEpisodes,
  readPresence,
  START,
  silentLogger,
} from './presence-fixture.ts'
import { startPresencePulse } from './presence-pulse.ts'

let redis: TestRedis
const clock = { now: START }
beforeAll(async () => {
  redis = await openTestRedis()
})
beforeEach(async () => {
  clock.now = START
  await Promise.all([redis.live.flushdb(), redis.ingest.flushdb()])
})
afterAll(() => redis[Symbol.asyncDispose]())

const isOnline = async (id: string) => (await readPresence(redis.live, id))?.online

/** A pulse that beats only by hand; `elapse` sets how long ago the last round was. */
function openPulse(live = redis.live) {
  const set = { redisAheadMs: 0 }
  const own = {
    get now() {
      return clock.now
    },
    get redisAheadMs() {
      return set.redisAheadMs
    },
  }
  const door = openTestDoor({ live, ingest: redis.ingest }, own)
  let losses = 0
  const pulse = startPresencePulse({
    ...{ registry: door, scripts: door.scripts, logger: silentLogger, metrics: door.metrics },
    drain: { request: () => {}, drain: door.drain },
    onLoss: () => losses++,
    intervalMs: 3_600_000,
    now: () => clock.now,
  })
  const elapse = (ms: number) => {
    clock.now += ms
  }
  const setRedisAhead = (ms: number) => {
    set.redisAheadMs = ms
  }
  return {
    door,
    elapse,
    setRedisAhead,
    losses: () => losses,
    beat: pulse.beat,
    [Symbol.asyncDispose]: () => pulse[Symbol.asyncDispose](),
  }
}

describe('the presence pulse', () => {
  it('sweeps from its third round on, so that other doors can flush after a start of everything', async () => {
    await using pulse = openPulse()
    await openTestDoor(redis, clock).begin('d')
    clock.now += 60_000
    for (const online of [true, true, false]) {
      await pulse.beat()
      expect(await isOnline('d')).toBe(online)
    }
  })

  it('holds the sweep for two rounds after one that failed and after one that was late', async () => {
    await using client = openRedis({ url: redis.liveUrl, name: 'test-pulse' })
    await using pulse = openPulse(client.redis)
    for (let round = 0; round < 3; round++) await pulse.beat()
    client.redis.disconnect()
    await pulse.beat()
    await client.redis.connect()
    await openTestDoor(redis, clock).begin('d')
    clock.now += 60_000
    for (const online of [true, true, false]) {
      await pulse.beat()
      expect(await isOnline('d')).toBe(online)
    }

    await openTestDoor(redis, clock).begin('e')
    clock.now += 60_000
    pulse.elapse(4 * 3_600_000)
    for (const online of [true, true, false]) {
      await pulse.beat()
      expect(await isOnline('e')).toBe(online)
    }
  })

  it('takes nobody offline when the clock of Redis is set, and lets deadlines run anew', async () => {
    await using pulse = openPulse()
    for (let round = 0; round < 3; round++) await pulse.beat()
    const { generation } = await pulse.door.begin('d', 60_000)
    pulse.setRedisAhead(24 * 3_600_000)
    for (let round = 0; round < 4; round++) {
      clock.now += 1_000
      pulse.door.touch('d', generation, clock.now)
      await pulse.beat()
      expect(await isOnline('d')).toBe(true)
    }
    clock.now += 60_000 + GRACE_MS
    await pulse.beat()
    expect(await isOnline('d')).toBe(false)
  })

  it('writes all sessions again once Redis has lost everything, though no device says a word', async () => {
    await using pulse = openPulse()
    for (let round = 0; round < 3; round++) await pulse.beat()
    await pulse.door.begin('d', 60_000)
    await redis.live.flushdb()
    expect(await isOnline('d')).toBeUndefined()
    for (let round = 0; round < 2; round++) await pulse.beat()
    expect(await isOnline('d')).toBe(true)
    expect(pulse.losses()).toBe(1)
  })

  it('flushes before it sweeps: a stall of this process alone takes none of its devices offline', async () => {
    await using pulse = openPulse()
    for (let round = 0; round < 2; round++) await pulse.beat()
    const { generation } = await pulse.door.begin('d')
    clock.now += 60_000
    pulse.door.touch('d', generation, clock.now)
    await pulse.beat()
    expect(await isOnline('d')).toBe(true)
  })

  it('writes life signs whose flush failed with the next one', async () => {
    await using client = openRedis({ url: redis.liveUrl, name: 'test-pulse' })
    await using pulse = openPulse(client.redis)
    const { generation } = await pulse.door.begin('d')
    pulse.door.touch('d', generation, START + 500)
    client.redis.disconnect()
    await expect(pulse.door.flush()).rejects.toThrow()
    await client.redis.connect()
    await pulse.beat()
    expect(await readPresence(redis.live, 'd')).toMatchObject({ lastSeenAt: START + 500 })
  })

  it('tells Redis of ends that it missed while it was away', async () => {
    await using client = openRedis({ url: redis.liveUrl, name: 'test-pulse' })
    await using pulse = openPulse(client.redis)
    const { generation } = await pulse.door.begin('d')
    client.redis.disconnect()
    await pulse.door.disconnect('d', generation, START + 3_000)
    expect(await isOnline('d')).toBe(true)
    await client.redis.connect()
    await pulse.beat()
    await pulse.door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-3000'])
  })

  it('flushes and drains once more when it is disposed', async () => {
    const pulse = openPulse()
    const { generation } = await pulse.door.begin('d')
    pulse.door.touch('d', generation, START + 500)
    await pulse[Symbol.asyncDispose]()
    expect(await readPresence(redis.live, 'd')).toMatchObject({ lastSeenAt: START + 500 })
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0'])
    expect(await redis.live.exists(redisKeys.presencePending())).toBe(0)
  })

  it('beats by itself', async () => {
    const door = openTestDoor(redis, clock)
    await using _pulse = startPresencePulse({
      ...{ registry: door, scripts: door.scripts, logger: silentLogger, metrics: door.metrics },
      drain: { request: () => void door.drain().catch(() => {}), drain: door.drain },
      intervalMs: 5,
    })
    await door.begin('d')
    clock.now += 60_000
    await waitFor(async () => (await readEpisodes(redis.ingest, 'd')).length === 2)
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-0'])
  })
})
