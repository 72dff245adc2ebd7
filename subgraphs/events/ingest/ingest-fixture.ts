import type { Redis } from 'ioredis'
import type { Pool, RowDataPacket } from 'mysql2/promise'
import type { QueueMessage } from '../../../schema/door-message.ts'
import {
  type AnomalyItem,
  type ConnectivityItem,
  type IngestItem,
  type LogItem,
  type PresenceItem,
  type StateItem,
  shardOf,
} from '../../../schema/ingest-entry.ts'
import type { LiveEventOf, TopicKind } from '../../../schema/live-event.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import type { DeviceDirectory } from '../../shared/device-directory.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { type Ingest, type IngestOptions, startIngest } from './ingest.ts'

/** What tests of ingest have in common: items, the door's way of appending them, and what came out. */

export const silentLogger = createLogger({ level: 'silent', role: 'test' })

/** Every device stands in this line and process. */
export const LINE_ID = newId()
export const PROCESS_ID = newId()

/** A directory that knows every device. */
export const directory: DeviceDirectory = {
  placesOf: async ids =>
    new Map(ids.map(id => [id, { spaceId: '', lineId: LINE_ID, processId: PROCESS_ID }])),
}

export interface IngestFixture {
  readonly spaceId: string
  readonly mailed: QueueMessage[]
  /** Starts ingest on the test's servers. */
  launch(overrides?: Partial<IngestOptions>): Ingest
  /** The same, and waits until it is ready. */
  start(overrides?: Partial<IngestOptions>): Promise<Ingest>
  append(items: readonly IngestItem[], itemsPerEntry?: number): Promise<void>
  log(deviceId: string, overrides?: Partial<LogItem>): LogItem
  anomaly(deviceId: string, overrides?: Partial<AnomalyItem>): AnomalyItem
  state(deviceId: string, at: number, status?: StateItem['status']): StateItem
  connectivity(deviceId: string, at: number, network?: string): ConnectivityItem
  presence(deviceId: string, generation: number, online: boolean, at?: number): PresenceItem
  /** Rows of the fixture's space in the order of their ids. */
  rows(table?: 'log' | 'anomaly_occurrence' | 'presence_event'): Promise<RowDataPacket[]>
  /** What is on a live topic of the fixture's space. */
  published<K extends TopicKind>(kind: K): Promise<LiveEventOf[K][]>
  deadLetters(): Promise<{ reason: string; v: string }[]>
  /** True when every entry of the log is written. */
  isWritten(): Promise<boolean>
}

/** Creates a space of its own on the servers of a test file. */
export function createIngestFixture(
  database: { pool: Pool },
  redis: { live: Redis; ingest: Redis; ingestUrl: string },
): IngestFixture {
  const spaceId = newId()
  const mailed: QueueMessage[] = []

  function launch(overrides: Partial<IngestOptions> = {}): Ingest {
    return startIngest({
      pool: database.pool,
      ingestRedis: redis.ingest,
      ingestRedisUrl: redis.ingestUrl,
      liveRedis: redis.live,
      livePublisher: createLivePublisher({ redis: redis.live }),
      directory,
      deviceMailbox: { send: async messages => void mailed.push(...messages) },
      logger: silentLogger,
      metrics: createMetrics({ group: 'test', withDefaults: false }),
      owner: 'test',
      ...overrides,
    })
  }

  return {
    spaceId,
    mailed,
    launch,
    async start(overrides) {
      const ingest = launch(overrides)
      await ingest.ready
      return ingest
    },
    append: (items, itemsPerEntry = 100) => appendAsDoor(redis.ingest, items, itemsPerEntry),
    log: (deviceId, overrides = {}) => ({
      kind: 'log',
      id: newId(),
      spaceId,
      deviceId,
      receivedAt: Date.now(),
      level: 'INFO',
      message: 'Spindle temperature 61 °C',
      clockReplaced: false,
      ...overrides,
    }),
    anomaly: (deviceId, overrides = {}) => ({
      kind: 'anomaly',
      id: newId(),
      spaceId,
      deviceId,
      receivedAt: Date.now(),
      type: 'SPINDLE_TEMPERATURE',
      severity: 'MAJOR',
      cleared: false,
      clockReplaced: false,
      ...overrides,
    }),
    state: (deviceId, at, status = 'RUNNING') => ({
      ...{ kind: 'state', spaceId, deviceId, receivedAt: Date.now(), at, status },
      metrics: { rpm: at },
    }),
    connectivity: (deviceId, at, network = 'wifi') => {
      return { kind: 'connectivity', spaceId, deviceId, receivedAt: Date.now(), at, network }
    },
    presence: (deviceId, generation, online, at = Date.now()) => {
      return { kind: 'presence', id: newIdAt(at), spaceId, deviceId, receivedAt: at, online, generation }
    },
    async rows(table = 'log') {
      const [rows] = await database.pool.query<RowDataPacket[]>(
        `SELECT * FROM ${table} WHERE space_id = ? ORDER BY id`,
        [spaceId],
      )
      return rows
    },
    async published(kind) {
      const entries = await redis.live.xrange(redisKeys.liveTopic(kind, spaceId), '-', '+')
      return entries.flatMap(([, fields]) => JSON.parse(fields[1] ?? ''))
    },
    async deadLetters() {
      const entries = await redis.ingest.xrange(redisKeys.deadLetters(), '-', '+')
      return entries.map(([, [, reason = '', , v = '']]) => ({ reason, v }))
    },
    async isWritten() {
      const [rows] = await database.pool.query<RowDataPacket[]>('SELECT shard, last_id FROM ingest_offset')
      for (const { shard, last_id } of rows) {
        const left = await redis.ingest.xrange(redisKeys.ingestLog(shard), `(${last_id}`, '+', 'COUNT', 1)
        if (left.length > 0) return false
      }
      return true
    },
  }
}

/** Appends items as a door does: entries of one shard each. */
export async function appendAsDoor(
  redis: Redis,
  items: readonly IngestItem[],
  itemsPerEntry: number,
): Promise<void> {
  const pipeline = redis.pipeline()
  for (const [shard, ofShard] of Map.groupBy(items, item => shardOf(item.deviceId)))
    for (let from = 0; from < ofShard.length; from += itemsPerEntry)
      pipeline.xadd(
        redisKeys.ingestLog(shard),
        '*',
        'v',
        JSON.stringify(ofShard.slice(from, from + itemsPerEntry)),
      )
  await pipeline.exec()
}
