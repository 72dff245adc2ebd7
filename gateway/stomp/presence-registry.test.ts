import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { isUuidV7 } from '../../subgraphs/shared/uuid-v7.ts'
import { openDeviceMailbox } from './device-mailbox.ts'
import type { DoorMessage } from './door-ports.ts'
import { adoptPresences } from './presence-adoption.ts'
import {
  GRACE_MS,
  openTestDoor,
  readEpisodes,
  readPresence,
  readTransitions,
  START,
  silentLogger,
} from './presence-fixture.ts'

let redis: TestRedis
const clock = { now: START }

beforeAll(async () => {
  redis = await openTestRedis()
})
beforeEach(async () => {
  clock.now = START
  await Promise.all([redis.live.flushdb(), redis.ingest.flushdb()])
  redis.roundTrips.live.length = 0
})
afterAll(() => redis[Symbol.asyncDispose]())

const pendingCount = () => redis.live.hlen(redisKeys.presencePending())

describe('the presence registry', () => {
  it('makes a device online at CONNECT and offline at the last life sign of its session, once each', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d')
    expect(await readPresence(redis.live, 'd')).toEqual({
      ...{ generation, online: true, lastSeenAt: START, doorId: door.doorId, spaceId: 'space' },
    })
    clock.now += 5_000
    await door.disconnect('d', generation, START + 4_000)
    await door.disconnect('d', generation, START + 4_500)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-4000'])
    expect(await readPresence(redis.live, 'd')).toMatchObject({ online: false, lastSeenAt: START + 4_000 })
    const items = await readTransitions(redis.ingest)
    expect(items.every(item => isUuidV7(item.id))).toBe(true)
    expect(items).toMatchObject([
      { kind: 'presence', deviceId: 'd', spaceId: 'space', online: true, generation, receivedAt: START },
      { kind: 'presence', deviceId: 'd', spaceId: 'space', online: false, generation },
    ])
    expect(await pendingCount()).toBe(0)
    clock.now += 3_600_000
    expect(await door.sweep()).toBe(0)
  })

  it('sorts an online before the offline of the same millisecond, and the next online behind', async () => {
    const door = openTestDoor(redis, clock)
    for (let n = 0; n < 20; n++) {
      const { generation } = await door.begin('d')
      await door.disconnect('d', generation, clock.now)
    }
    await door.drain()
    const items = await readTransitions(redis.ingest, 'd')
    expect(items.map(({ online }) => online)).toEqual(Array(20).fill([true, false]).flat())
    const ids = items.map(({ id }) => id)
    expect([...ids].sort()).toEqual(ids)
    expect(items.map(({ generation }) => generation)).toEqual(
      Array.from({ length: 20 }, (_, n) => [START + n, START + n]).flat(),
    )
  })

  it('lets a newer session take over without offline and without a second online, and tells the other door', async () => {
    const first = openTestDoor(redis, clock)
    const second = openTestDoor(redis, clock)
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using mailbox = await openDeviceMailbox({
      ...{ url: redis.liveUrl, doorId: first.doorId, logger: silentLogger, metrics },
    })
    const received: DoorMessage[] = []
    mailbox.onMessage(message => received.push(message))
    const old = await first.begin('d')
    clock.now += 1_000
    const { generation } = await second.begin('d')
    expect(generation).toBeGreaterThan(old.generation)
    await waitFor(() => received.length > 0)
    expect(received).toEqual([{ kind: 'take-over', deviceId: 'd', generation }])

    clock.now += 1_000
    first.touch('d', old.generation, clock.now)
    await first.flush()
    await first.disconnect('d', old.generation, clock.now)
    expect(await readPresence(redis.live, 'd')).toMatchObject({
      ...{ generation, online: true, doorId: second.doorId, lastSeenAt: START + 1_000 },
    })
    await second.disconnect('d', generation, clock.now)
    await first.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-2000'])
  })

  it('says nothing when an old session of the same door closes late', async () => {
    const door = openTestDoor(redis, clock)
    const old = await door.begin('d')
    const { generation } = await door.begin('d')
    await door.disconnect('d', old.generation, clock.now)
    door.touch('d', old.generation, START + 9_000)
    await door.flush()
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0'])
    expect(await readPresence(redis.live, 'd')).toMatchObject({ generation, online: true, lastSeenAt: START })
  })

  it('does not write a session again that was taken over, even when Redis has lost the newer one', async () => {
    const first = openTestDoor(redis, clock)
    const second = openTestDoor(redis, clock)
    await first.begin('d')
    const { generation } = await second.begin('d')
    first.forget('d', generation)
    second.forget('d', generation)
    await redis.live.flushdb()
    for (const door of [first, second]) door.suspend()
    await first.flush()
    expect(await readPresence(redis.live, 'd')).toBeNull()
    await second.flush()
    expect(await readPresence(redis.live, 'd')).toMatchObject({
      ...{ generation: generation + 1, doorId: second.doorId },
    })
  })

  it('reports a take-over whose message was lost, at the next life sign', async () => {
    const first = openTestDoor(redis, clock)
    const second = openTestDoor(redis, clock)
    const old = await first.begin('d')
    const { generation } = await second.begin('d')
    first.touch('d', old.generation, START + 10)
    await first.flush()
    await first.flush()
    expect(first.takenOver).toEqual([['d', generation]])
    expect(second.takenOver).toEqual([])
  })

  it('takes a silent device offline at its deadline, dated at its last life sign', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d', 10_000)
    clock.now = START + 700
    door.touch('d', generation, START + 700)
    clock.now = START + 1_000
    await door.flush()
    clock.now = START + 700 + 10_000 + GRACE_MS - 1
    expect(await door.sweep()).toBe(0)
    clock.now += 1
    expect(await door.sweep()).toBe(1)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-700'])
    await door.disconnect('d', generation, START + 700)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-700'])
  })

  it('takes the devices of a crashed door offline once, whoever sweeps, also those without heart-beats', async () => {
    const crashed = openTestDoor(redis, clock)
    const others = [openTestDoor(redis, clock), openTestDoor(redis, clock)]
    const ids = Array.from({ length: 250 }, (_, i) => `d${i}`)
    await Promise.all(ids.map((id, i) => crashed.begin(id, i % 2 === 0 ? 10_000 : 0)))
    clock.now += 60_000
    const swept = await Promise.all(others.map(door => door.sweep()))
    expect(swept.reduce((sum, count) => sum + count, 0)).toBe(250)
    await Promise.all(others.map(door => door.drain()))
    for (const id of ids) expect(await readEpisodes(redis.ingest, id)).toEqual(['+0', '-0'])
    expect(await pendingCount()).toBe(0)
  })

  it('keeps a device without heart-beats online for as long as its door lives', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d', 0)
    for (let minute = 0; minute < 20; minute++) {
      clock.now += 25_000
      await door.flush()
      expect(await door.sweep()).toBe(0)
    }
    expect(await readPresence(redis.live, 'd')).toMatchObject({ generation, online: true, lastSeenAt: START })
  })

  it('does not let deadlines run while the door does not read, and begins them anew when it does', async () => {
    const door = openTestDoor(redis, clock)
    await door.begin('d', 10_000)
    door.suspend()
    for (let second = 0; second < 60; second++) {
      clock.now += 1_000
      await door.flush()
      expect(await door.sweep()).toBe(0)
    }
    door.resume()
    await door.flush()
    clock.now += 10_000 + GRACE_MS - 1
    expect(await door.sweep()).toBe(0)
    clock.now += 1
    expect(await door.sweep()).toBe(1)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-0'])
  })

  it('begins deadlines anew after a pause that no flush saw', async () => {
    const door = openTestDoor(redis, clock)
    await door.begin('d', 10_000)
    door.suspend()
    clock.now += 8_000
    door.resume()
    await door.flush()
    clock.now += 10_000 + GRACE_MS - 1
    expect(await door.sweep()).toBe(0)
    clock.now += 1
    expect(await door.sweep()).toBe(1)
  })

  it('begins a new episode at the next life sign of a session that was swept, and ends that one too', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d', 10_000)
    clock.now += 20_000
    expect(await door.sweep()).toBe(1)
    await door.flush()
    expect(await readPresence(redis.live, 'd')).toMatchObject({ online: false })
    door.touch('d', generation, START + 20_000)
    await door.flush()
    expect(await readPresence(redis.live, 'd')).toMatchObject({ online: true, generation: generation + 1 })
    door.touch('d', generation, START + 21_000)
    await door.flush()
    await door.disconnect('d', generation, START + 22_000)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-0', '+20000', '-22000'])
    expect((await readTransitions(redis.ingest)).map(item => item.generation - generation)).toEqual([
      0, 0, 1, 1,
    ])
  })

  it('takes a life sign that Redis knows already for no new one, when a flush is repeated', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d')
    const touch = {
      deviceId: 'd',
      spaceId: 'space',
      generation,
      at: START + 500,
      onlineId: '',
      deadlineMs: 1_000,
      hasSign: false,
    }
    await door.scripts.touch([touch])
    clock.now += 60_000
    await door.sweep()
    expect(await door.scripts.touch([touch])).toEqual([])
    expect(await readPresence(redis.live, 'd')).toMatchObject({ online: false, lastSeenAt: START + 500 })
  })

  it('ends the right episode when a session closes while its revival is on its way', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d', 10_000)
    clock.now += 20_000
    await door.sweep()
    door.touch('d', generation, START + 20_000)
    await Promise.all([door.flush(), door.disconnect('d', generation, START + 20_500)])
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-0', '+20000', '-20500'])
  })

  it('never brings a device back for a session that has ended or was taken over', async () => {
    const first = openTestDoor(redis, clock)
    const second = openTestDoor(redis, clock)
    const dead = await first.begin('d')
    const newer = await second.begin('d')
    await second.disconnect('d', newer.generation, START + 1)
    first.touch('d', dead.generation, START + 5_000)
    await first.flush()
    const ended = await first.begin('e')
    await first.disconnect('e', ended.generation, START + 1)
    first.touch('e', ended.generation, START + 5_000)
    await first.flush()
    for (const id of ['d', 'e']) expect(await readPresence(redis.live, id)).toMatchObject({ online: false })
  })

  it('flushes 500 devices in one round trip, and makes none when there is nothing to say', async () => {
    const door = openTestDoor(redis, clock)
    const ids = Array.from({ length: 500 }, (_, i) => `d${i}`)
    const begun = await Promise.all(ids.map(id => door.begin(id)))
    const generations = begun.map(({ generation }) => generation)
    for (const [i, id] of ids.entries()) {
      door.touch(id, generations[i] ?? 0, START + 100)
      door.touch(id, generations[i] ?? 0, START + 200 + i)
    }
    // The script is known to Redis after its first use.
    await door.flush()
    for (const [i, id] of ids.entries()) door.touch(id, generations[i] ?? 0, START + 1_000 + i)
    redis.roundTrips.live.length = 0
    await door.flush()
    await door.flush()
    expect(redis.roundTrips.live).toEqual([['evalsha']])
    expect(await readPresence(redis.live, 'd499')).toMatchObject({ lastSeenAt: START + 1_499 })
  })

  it('refuses a session while too many transitions wait for the log', async () => {
    const door = openTestDoor(redis, clock, { maxPending: 2 })
    await door.begin('a')
    await door.begin('b')
    await expect(door.begin('c')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await readPresence(redis.live, 'c')).toBeNull()
    await door.drain()
    await door.begin('c')
  })

  it('moves a device from door to door without a step back in its times when their clocks differ', async () => {
    const fast = openTestDoor(redis, clock)
    const slow = openTestDoor(redis, clock)
    await fast.connect({ deviceId: 'd', spaceId: 'space', expiresAt: null }, START + 2_000, 10_000)
    const { generation } = await slow.connect(
      { deviceId: 'd', spaceId: 'space', expiresAt: null },
      START + 100,
      10_000,
    )
    await slow.disconnect('d', generation, START + 500)
    await slow.connect({ deviceId: 'd', spaceId: 'space', expiresAt: null }, START + 600, 10_000)
    await slow.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+2000', '-2000', '+2001'])
  })
})

describe('the presence registry when Redis has lost everything', () => {
  it('writes living sessions again with their next flush, and their online under the same id', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d')
    await redis.live.flushdb()
    await redis.live.script('FLUSH')
    door.touch('d', generation, START + 1_000)
    await door.flush()
    expect(await readPresence(redis.live, 'd')).toMatchObject({
      generation: generation + 1,
      online: true,
      lastSeenAt: START + 1_000,
    })
    expect(await redis.live.zcard(redisKeys.presenceDeadlines())).toBe(1)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0'])
  })

  it('makes no second online of one that is in the log already', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d')
    await door.drain()
    await redis.live.flushdb()
    door.touch('d', generation, START + 1_000)
    await door.flush()
    await door.disconnect('d', generation, START + 2_000)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-2000'])
  })

  it('makes the offline of a session that ends before it was written again', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d')
    await redis.live.flushdb()
    await door.disconnect('d', generation, START + 2_000)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-2000'])
  })

  it('goes on with higher generations', async () => {
    const door = openTestDoor(redis, clock)
    const before = await door.begin('d')
    clock.now += 1
    await redis.live.flushdb()
    expect((await door.begin('d')).generation).toBeGreaterThan(before.generation)
  })
})

describe('the presence registry when clocks are set', () => {
  it('keeps a device online whose door was set back, and dates its end after its beginning', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d', 10_000)
    const wall = { backMs: 3_600_000 }
    for (let second = 1; second <= 60; second++) {
      clock.now = START + second * 1_000
      door.touch('d', generation, clock.now - wall.backMs)
      await door.flush()
      expect(await door.sweep()).toBe(0)
    }
    await door.disconnect('d', generation, clock.now - wall.backMs)
    await door.drain()
    expect(await readEpisodes(redis.ingest, 'd')).toEqual(['+0', '-60'])
  })

  it('keeps a device online whose door was set forward, until it is silent', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('d', 10_000)
    clock.now += 1_000
    door.touch('d', generation, clock.now + 3_600_000)
    await door.flush()
    clock.now += 9_000
    expect(await door.sweep()).toBe(0)
    clock.now += 1_000 + GRACE_MS
    expect(await door.sweep()).toBe(1)
  })

  it('brings a device back that a stall took offline although its door was set back meanwhile', async () => {
    const [door, other] = [openTestDoor(redis, clock), openTestDoor(redis, clock)]
    const { generation } = await door.begin('d', 10_000)
    clock.now += 60_000
    expect(await other.sweep()).toBe(1)
    door.touch('d', generation, START - 3_600_000)
    await door.flush()
    expect(await readPresence(redis.live, 'd')).toMatchObject({ online: true })
  })
})

describe('devices of which only the tables know', () => {
  it('are taken in; those whose session lives stay, the others go offline at their last life sign', async () => {
    const door = openTestDoor(redis, clock)
    const { generation } = await door.begin('alive', 10_000)
    await door.drain()
    await redis.live.flushdb()
    const rows = ['alive', 'dead', 'known', 'off'].map(deviceId => ({
      ...{ deviceId, spaceId: 'space', generation, online: deviceId !== 'off', lastSeenAt: START - 5_000 },
    }))
    await door.begin('known', 10_000)
    const pages = { list: async (after: string) => (after === '' ? rows : []) }
    expect(await adoptPresences(pages, door.scripts, 30_000)).toBe(2)
    door.restart()
    clock.now += 1
    await door.flush()
    clock.now += 30_000
    door.touch('alive', generation, clock.now)
    await door.flush()
    await door.sweep()
    await door.drain()
    expect(await readPresence(redis.live, 'dead')).toMatchObject({ online: false })
    expect(await readTransitions(redis.ingest, 'dead')).toMatchObject([{ online: false, generation }])
    expect(await readEpisodes(redis.ingest, 'alive')).toEqual(['+0'])
    expect(await readPresence(redis.live, 'off')).toMatchObject({ online: false, generation })
  })
})
