import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisServer, startRedis } from '../../subgraphs/shared/embedded/redis.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { createChance } from './chance.ts'
import { adoptPresences } from './presence-adoption.ts'
import {
  GRACE_MS,
  judgeEpisodes,
  openTestDoor,
  readPresence,
  readTransitions,
  START,
  type TestDoor,
} from './presence-fixture.ts'

const DEVICES = 250
const STEPS = 2_000
const ADOPTED_MS = 30_000
const HOUR_MS = 3_600_000

interface ModelSession {
  readonly door: TestDoor
  readonly deviceId: string
  readonly generation: number
  readonly toleranceMs: number
  /** By the wall's clock, and by the one that only goes forwards. */
  lastSign: number
  signedAt: number
  hasSign: boolean
}

/** What the registry promises of one device, said plainly. */
interface ModelDevice {
  owner?: ModelSession
  online: boolean
  lastSeenAt: number
  /** By the clock of Redis. */
  deadline: number
  /** That the next one has to pass; nobody knows it any more when Redis has lost it. */
  generation: number
  readonly episodes: string[]
}

/** A live Redis of its own, which can be killed. */
let server: RedisServer
let live: ReturnType<typeof openRedis>
let redis: TestRedis
const dataDir = mkdtempSync(join(tmpdir(), 'nuvion-presence-'))
const start = () => startRedis({ dataDir: join(dataDir, 'live'), name: 'live', appendfsync: 'everysec' })

beforeAll(async () => {
  redis = await openTestRedis()
  server = await start()
  live = openRedis({ url: server.url, name: 'test-presence' })
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  await server.close()
  await redis[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

/** While it syncs, Redis answers before it writes: then a kill may lose what it has acknowledged. */
const untilWritten = () =>
  waitFor(async () => /^aof_buffer_length:0\r?$/m.test(await live.redis.info('persistence')))

async function killRedis(whileDown: () => void = () => {}): Promise<void> {
  process.kill(server.pid, 'SIGKILL')
  await server.close()
  whileDown()
  server = await start()
  await waitFor(() => live.redis.ping(), { deadlineMs: 30_000, what: 'Redis after its kill' })
}

/** Puts Redis back to where it was at `save()`, as a power failure does that loses what was not on disk yet. */
const kept = join(dataDir, 'kept')
const save = () => {
  rmSync(kept, { recursive: true, force: true })
  cpSync(join(dataDir, 'live', 'appendonlydir'), kept, { recursive: true })
}
const rollBack = () => {
  rmSync(join(dataDir, 'live', 'appendonlydir'), { recursive: true })
  cpSync(kept, join(dataDir, 'live', 'appendonlydir'), { recursive: true })
}

interface Schedule {
  readonly seed: number
  /** Redis is killed, is emptied; its clock and those of the doors are set. */
  readonly chaos: readonly ('kill' | 'lose' | 'set-clocks')[]
}

describe('presence under a random schedule of connects, signs, deaths, take-overs and crashes', () => {
  it.each<Schedule>([
    { seed: 1, chaos: [] },
    { seed: 2, chaos: ['kill'] },
    { seed: 3, chaos: ['lose'] },
    { seed: 4, chaos: ['set-clocks'] },
    { seed: 5, chaos: ['kill', 'lose'] },
    { seed: 6, chaos: ['kill', 'set-clocks'] },
  ])(
    'says what the model says (seed $seed, $chaos)',
    async ({ seed, chaos }) => {
      await Promise.all([live.redis.flushall(), redis.ingest.flushdb()])
      const random = createChance(seed)
      const clock = { now: START, wallAheadMs: 0, redisAheadMs: 0 }
      const wall = () => clock.now + clock.wallAheadMs
      const redisNow = () => clock.now + clock.redisAheadMs
      const openDoor = () => openTestDoor({ live: live.redis, ingest: redis.ingest }, clock)
      const doors = [1, 2, 3, 4].map(openDoor)
      const anyDoor = () => doors[random(doors.length)] as TestDoor
      const model = new Map<string, ModelDevice>()
      for (let i = 0; i < DEVICES; i++)
        model.set(`d${i}`, { online: false, lastSeenAt: -1, deadline: 0, generation: 0, episodes: [] })
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
      /** Clocks that were set back by more than they may differ are believed, for a new episode. */
      const notBefore = (at: number, floor: number) => (at < floor && floor - at <= 300_000 ? floor : at)

      const restartedAt = new Map<TestDoor, number>()

      function moveDeadline(device: ModelDevice, session: ModelSession): void {
        const since = Math.max(session.signedAt, restartedAt.get(session.door) ?? 0)
        const left = session.toleranceMs + GRACE_MS - (clock.now - since)
        device.deadline = redisNow() + Math.max(0, left)
      }

      async function flush(door: TestDoor): Promise<void> {
        await door.flush()
        for (const session of [...heldBy(door).values()]) {
          if (!session.hasSign) continue
          session.hasSign = false
          const device = deviceOf(session.deviceId)
          if (device.owner !== session) {
            heldBy(door).delete(session.deviceId)
            continue
          }
          if (device.online) device.lastSeenAt = Math.max(device.lastSeenAt, session.lastSign)
          else {
            device.lastSeenAt = notBefore(session.lastSign, device.lastSeenAt + 1)
            device.online = true
            record(device, '+')
          }
          moveDeadline(device, session)
        }
      }

      /** What a door does when Redis was restarted, has lost everything, or its clock was set. */
      async function restartDoors(isLost: boolean): Promise<void> {
        for (const door of doors) {
          door.restart()
          restartedAt.set(door, clock.now)
        }
        for (const door of doors) {
          const alive = [...heldBy(door).values()].filter(
            ({ signedAt, toleranceMs, hasSign }) => !hasSign && clock.now - signedAt < toleranceMs + GRACE_MS,
          )
          await flush(door)
          for (const session of alive) {
            const device = deviceOf(session.deviceId)
            if (device.owner !== session) heldBy(door).delete(session.deviceId)
            else if (device.online || isLost) {
              const wasOnline = device.online
              device.lastSeenAt = Math.max(device.lastSeenAt, session.lastSign)
              device.online = true
              if (!wasOnline) record(device, '+')
            } else continue
            if (device.owner === session) moveDeadline(device, session)
          }
        }
      }

      async function drainAll(): Promise<void> {
        await anyDoor().drain()
      }

      const steps: Record<string, () => Promise<void>> = {
        async connect() {
          const deviceId = `d${random(DEVICES)}`
          const door = anyDoor()
          const toleranceMs = [5_000, 10_000, 60_000][random(3)] as number
          const { generation } = await door.begin(deviceId, toleranceMs)
          const session = {
            ...{ door, deviceId, generation, toleranceMs },
            ...{ lastSign: wall(), signedAt: clock.now, hasSign: false },
          }
          const device = deviceOf(deviceId)
          expect(generation).toBeGreaterThan(device.generation)
          device.generation = generation
          if (device.online) device.lastSeenAt = Math.max(wall(), device.lastSeenAt)
          else {
            device.lastSeenAt = device.owner === undefined ? wall() : notBefore(wall(), device.lastSeenAt + 1)
            device.online = true
            record(device, '+')
          }
          device.owner = session
          device.deadline = redisNow() + toleranceMs + GRACE_MS
          heldBy(door).set(deviceId, session)
          sessions.push(session)
          // The take-over message, which is lost now and then.
          if (random(10) === 0) return
          for (const other of doors)
            if (other !== door) {
              other.forget(deviceId, generation)
              heldBy(other).delete(deviceId)
            }
        },
        async sign() {
          for (const session of sessions) {
            if (random(3) > 0) continue
            session.door.sign(session.deviceId, session.generation)
            if (wall() === session.lastSign) continue
            session.lastSign = Math.max(wall(), session.lastSign + 1)
            session.signedAt = clock.now
            session.hasSign = true
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
        flush: () => flush(anyDoor()),
        async sweep() {
          await Promise.all([anyDoor().sweep(), anyDoor().sweep()])
          for (const device of model.values()) {
            if (!device.online || device.deadline > redisNow()) continue
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
          held.delete(crashed)
          doors[index] = openDoor()
        },
        async kill() {
          if (random(10) > 0) return
          await untilWritten()
          await killRedis()
          await restartDoors(false)
        },
        async lose() {
          if (random(8) > 0) return
          // What waits for the log, and take-over messages, are on their way for milliseconds only.
          await drainAll()
          for (const [door, map] of held)
            for (const [id, session] of map) {
              const owner = deviceOf(id).owner
              if (owner === undefined || owner === session) continue
              door.forget(id, owner.generation)
              map.delete(id)
            }
          if (random(2) === 0) await live.redis.flushall()
          else {
            for (const door of doors) await flush(door)
            await drainAll()
            await untilWritten()
            save()
            for (let lost = 0; lost < 5; lost++) await steps.connect?.()
            await steps.sign?.()
            await steps.flush?.()
            await killRedis(rollBack)
          }
          const transitions = Map.groupBy(await readTransitions(redis.ingest), item => item.deviceId)
          const rows = [...transitions].map(([deviceId, items]) => {
            const { generation, online } = judgeEpisodes(items)
            const { lastSeenAt } = deviceOf(deviceId)
            return { deviceId, spaceId: 'space', generation, online, lastSeenAt }
          })
          const tables = { list: async (after: string) => (after === '' ? rows : []) }
          const before = await live.redis.dbsize()
          for (const device of model.values()) device.generation = 0
          await adoptPresences(tables, anyDoor().scripts, ADOPTED_MS)
          if (before === 0)
            for (const device of model.values()) if (device.online) device.deadline = redisNow() + ADOPTED_MS
          await restartDoors(false)
        },
        async 'set-clocks'() {
          if (random(6) > 0) return
          clock.wallAheadMs = [0, HOUR_MS, -HOUR_MS, 90_000][random(4)] as number
          clock.redisAheadMs = [0, HOUR_MS, -HOUR_MS][random(3)] as number
          await restartDoors(false)
        },
      }
      const usual = 'connect connect connect sign sign close die flush flush sweep drain crash'
      const names = [...usual.split(' '), ...chaos]
      for (let step = 0; step < STEPS; step++) {
        clock.now += random(random(10) === 0 ? 4_000 : 300)
        await steps[names[random(names.length)] as string]?.()
      }
      await drainAll()

      const transitions = Map.groupBy(await readTransitions(redis.ingest), item => item.deviceId)
      let count = 0
      for (const [id, device] of model) {
        const { episodes, online } = judgeEpisodes(transitions.get(id) ?? [])
        expect(episodes, id).toEqual(device.episodes)
        if (device.owner === undefined) continue
        expect(online).toBe(device.online)
        const { lastSeenAt } = device
        expect(await readPresence(live.redis, id), id).toMatchObject({ online: device.online, lastSeenAt })
        count += episodes.length
        const signs = episodes.map(episode => episode[0])
        expect(signs.every((sign, i) => sign === (i % 2 === 0 ? '+' : '-'))).toBe(true)
        const times = episodes.map(episode => Number(episode.slice(1)))
        // An episode never ends before it began; without set clocks none begins before the last one ended.
        for (let i = 1; i < times.length; i++)
          if (i % 2 === 1 || !chaos.includes('set-clocks'))
            expect(times[i]).toBeGreaterThanOrEqual(times[i - 1] ?? 0)
      }
      expect(count).toBeGreaterThan(400)
    },
    120_000,
  )
})
