import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type IngestItem, type PresenceItem, SHARD_COUNT } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { parsePresenceValue } from '../../subgraphs/shared/presence-value.ts'
import { timeOfId } from '../../subgraphs/shared/uuid-v7.ts'
import type { IngestAppender } from './door-ports.ts'
import { createIngestAppender } from './ingest-appender.ts'
import { createPresenceDrain } from './presence-drain.ts'
import { createPresenceMetrics } from './presence-metrics.ts'
import { createPresenceRegistry, PRESENCE_LIMITS } from './presence-registry.ts'
import { createPresenceScripts } from './presence-scripts.ts'
import { sweepPresence } from './presence-sweep.ts'

/** Logger of tests. */
export const silentLogger = createLogger({ level: 'silent', role: 'test' })

/** When the clock of tests begins. */
export const START = 1_764_500_000_000

/** A life sign may wait this long at a door: what the sweep allows for beyond the tolerance. */
export const GRACE_MS = 2 * PRESENCE_LIMITS.flushIntervalMs

/** A clock that tests set. */
export interface TestClock {
  readonly now: number
  /** How far the wall's clock of the doors, and that of Redis, are ahead of it. Default 0. */
  readonly wallAheadMs?: number
  readonly redisAheadMs?: number
}

/** Presence of one door on real Redis, driven by hand: no timers, time as the test's clock says. */
export type TestDoor = ReturnType<typeof openTestDoor>

/** Opens the presence of a door. Transitions are drained only by `drain()`, except where a test says otherwise. */
export function openTestDoor(
  redis: { live: Redis; ingest: Redis },
  clock: TestClock,
  { maxPending = 1_000, appender }: { maxPending?: number; appender?: IngestAppender } = {},
) {
  const doorId = randomUUID()
  const registry = createMetrics({ group: 'test', withDefaults: false })
  const metrics = createPresenceMetrics(registry)
  const now = () => clock.now
  const wall = () => clock.now + (clock.wallAheadMs ?? 0)
  const redisNow = () => clock.now + (clock.redisAheadMs ?? 0)
  const scripts = createPresenceScripts({ redis: redis.live, doorId, maxPending, now: redisNow })
  const drain = createPresenceDrain({
    ...{ redis: redis.live, scripts, logger: silentLogger, metrics },
    appender:
      appender ?? createIngestAppender({ redis: redis.ingest, logger: silentLogger, metrics: registry }),
  })
  const takenOver: [deviceId: string, generation: number][] = []
  let transitions = 0
  const presence = createPresenceRegistry({
    ...{ scripts, doorId, logger: silentLogger, metrics, elapsed: now },
    onTransitions: () => transitions++,
    onTakenOver: (deviceId, generation) => takenOver.push([deviceId, generation]),
  })
  return {
    ...presence,
    doorId,
    scripts,
    metrics,
    takenOver,
    drain: () => drain.drain(),
    sweep: async () => (await sweepPresence(scripts, metrics)).offline,
    /** CONNECT of a device now. */
    begin: (deviceId: string, toleranceMs = 10_000) =>
      presence.connect({ deviceId, spaceId: 'space', expiresAt: null }, wall(), toleranceMs),
    /** A life sign now. */
    sign: (deviceId: string, generation: number) => presence.touch(deviceId, generation, wall()),
    get transitions() {
      return transitions
    },
  }
}

/**
 * The episodes that the log tells of a device: `+` online or `-` offline and the ms since START. Read as the contract of
 * PresenceItem says: a copy or an older generation says nothing, nor does a newer one that finds the device as it is.
 */
export async function readEpisodes(ingest: Redis, deviceId: string): Promise<string[]> {
  return judgeEpisodes(await readTransitions(ingest, deviceId)).episodes
}

/** Where transitions of one device, in order, leave it. */
export function judgeEpisodes(items: readonly PresenceItem[]) {
  const episodes: string[] = []
  let generation = 0
  let online = false
  for (const item of items) {
    const endsItsOwn = item.generation === generation && online && !item.online
    if (item.generation <= generation && !endsItsOwn) continue
    if (item.online !== online) episodes.push(`${item.online ? '+' : '-'}${timeOfId(item.id) - START}`)
    generation = item.generation
    online = item.online
  }
  return { episodes, generation, online }
}

/** First copies of the transitions in the log, in order. */
export async function readTransitions(ingest: Redis, deviceId?: string): Promise<PresenceItem[]> {
  const seen = new Map<string, PresenceItem>()
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    for (const [, [, value]] of await ingest.xrange(redisKeys.ingestLog(shard), '-', '+'))
      for (const item of JSON.parse(value ?? '') as IngestItem[])
        if (item.kind === 'presence' && !seen.has(item.id)) seen.set(item.id, item)
  return [...seen.values()].filter(item => deviceId === undefined || item.deviceId === deviceId)
}

/** What Redis says of a device now. */
export async function readPresence(live: Redis, deviceId: string) {
  return parsePresenceValue(await live.get(redisKeys.devicePresence(deviceId)))
}
