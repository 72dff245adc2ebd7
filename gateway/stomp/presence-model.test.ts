import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import {
  GRACE_MS,
  openTestDoor,
  readEpisodes,
  readPresence,
  START,
  type TestDoor,
} from './presence-fixture.ts'

const DEVICES = 50
const STEPS = 2_500

/** Mulberry32: a small generator whose schedules can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

interface ModelSession {
  readonly door: TestDoor
  readonly deviceId: string
  readonly generation: number
  readonly toleranceMs: number
  lastSign: number
  flushedSign: number
}

/** What the registry promises of one device, said plainly. */
interface ModelDevice {
  owner?: ModelSession
  online: boolean
  lastSeenAt: number
  deadline: number
  readonly episodes: string[]
}

let redis: TestRedis
beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(() => redis[Symbol.asyncDispose]())

describe('presence under a random schedule of connects, signs, deaths, take-overs and crashes', () => {
  it.each([1, 2, 3, 4])(
    'says what the model says (seed %i)',
    async seed => {
      await Promise.all([redis.live.flushdb(), redis.ingest.flushdb()])
      const random = createRandom(seed)
      const clock = { now: START }
      const doors = [1, 2, 3].map(() => openTestDoor(redis, clock))
      const anyDoor = () => doors[random(doors.length)] as TestDoor
      const model = new Map<string, ModelDevice>()
      for (let i = 0; i < DEVICES; i++)
        model.set(`d${i}`, { online: false, lastSeenAt: -1, deadline: 0, episodes: [] })
      const deviceOf = (id: string) => model.get(id) as ModelDevice
      /** Sessions that have not closed, dead ones too. */
      let sessions: ModelSession[] = []
      /** The newest session of a device at a door. */
      const held = new Map<TestDoor, Map<string, ModelSession>>()
      const heldBy = (door: TestDoor) => {
        const map = held.get(door) ?? new Map<string, ModelSession>()
        held.set(door, map)
        return map
      }
      const record = (device: ModelDevice, sign: '+' | '-') =>
        device.episodes.push(`${sign}${device.lastSeenAt - START}`)

      const steps: Record<string, () => Promise<void>> = {
        async connect() {
          const deviceId = `d${random(DEVICES)}`
          const door = anyDoor()
          const toleranceMs = [5_000, 10_000, 60_000][random(3)] as number
          const { generation } = await door.begin(deviceId, toleranceMs)
          const session = {
            door,
            deviceId,
            generation,
            toleranceMs,
            lastSign: clock.now,
            flushedSign: clock.now,
          }
          const device = deviceOf(deviceId)
          expect(generation).toBeGreaterThan(device.owner?.generation ?? 0)
          const wasOnline = device.online
          device.lastSeenAt = Math.max(clock.now, wasOnline ? device.lastSeenAt : device.lastSeenAt + 1)
          device.online = true
          if (!wasOnline) record(device, '+')
          device.owner = session
          device.deadline = clock.now + toleranceMs + GRACE_MS
          heldBy(door).set(deviceId, session)
          sessions.push(session)
        },
        async sign() {
          for (const session of sessions) {
            if (random(3) > 0) continue
            session.door.touch(session.deviceId, session.generation, clock.now)
            session.lastSign = clock.now
          }
        },
        async die() {
          sessions = sessions.filter(() => random(20) > 0)
        },
        async close() {
          const session = sessions[random(Math.max(1, sessions.length))]
          if (session === undefined) return
          sessions = sessions.filter(other => other !== session)
          await session.door.disconnect(session.deviceId, session.generation, session.lastSign)
          if (heldBy(session.door).get(session.deviceId) !== session) return
          heldBy(session.door).delete(session.deviceId)
          const device = deviceOf(session.deviceId)
          if (device.owner !== session || !device.online) return
          device.online = false
          device.lastSeenAt = Math.max(device.lastSeenAt, session.lastSign)
          record(device, '-')
        },
        async flush() {
          const door = anyDoor()
          await door.flush()
          for (const session of [...heldBy(door).values()]) {
            if (session.lastSign <= session.flushedSign) continue
            session.flushedSign = session.lastSign
            const device = deviceOf(session.deviceId)
            if (device.owner !== session) {
              heldBy(door).delete(session.deviceId)
              continue
            }
            if (!device.online && session.lastSign <= device.lastSeenAt) continue
            device.lastSeenAt = Math.max(device.lastSeenAt, session.lastSign)
            if (!device.online) record(device, '+')
            device.online = true
            const left = session.toleranceMs + GRACE_MS - (clock.now - session.lastSign)
            device.deadline = clock.now + Math.max(0, left)
          }
        },
        async sweep() {
          await Promise.all([anyDoor().sweep(), anyDoor().sweep()])
          for (const device of model.values()) {
            if (!device.online || device.deadline > clock.now) continue
            device.online = false
            record(device, '-')
          }
        },
        async drain() {
          await Promise.all([anyDoor().drain(), anyDoor().drain()])
        },
        async crash() {
          if (random(10) > 0) return
          const index = random(doors.length)
          const crashed = doors[index] as TestDoor
          sessions = sessions.filter(session => session.door !== crashed)
          doors[index] = openTestDoor(redis, clock)
        },
      }
      const names = [
        'connect',
        'connect',
        'sign',
        'sign',
        'close',
        'die',
        'flush',
        'flush',
        'sweep',
        'drain',
        'crash',
      ]
      for (let step = 0; step < STEPS; step++) {
        clock.now += random(random(10) === 0 ? 4_000 : 300)
        await steps[names[random(names.length)] as string]?.()
      }
      await doors[0]?.drain()

      let transitions = 0
      for (const [id, device] of model) {
        expect(await readEpisodes(redis.ingest, id), id).toEqual(device.episodes)
        if (device.owner === undefined) continue
        expect(await readPresence(redis.live, id), id).toMatchObject({
          ...{ online: device.online, lastSeenAt: device.lastSeenAt, doorId: device.owner.door.doorId },
        })
        transitions += device.episodes.length
        const signs = device.episodes.map(episode => episode[0])
        expect(signs.every((sign, i) => sign === (i % 2 === 0 ? '+' : '-'))).toBe(true)
        const times = device.episodes.map(episode => Number(episode.slice(1)))
        expect(times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0))).toBe(true)
      }
      expect(transitions).toBeGreaterThan(200)
    },
    60_000,
  )
})
