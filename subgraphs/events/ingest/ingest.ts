import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Pool } from 'mysql2/promise'
import type { DeviceErrors } from '../../../schema/device-message.ts'
import type { QueueMessage } from '../../../schema/door-message.ts'
import type { EventItem } from '../../../schema/ingest-entry.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { DeviceDirectory } from '../../shared/device-directory.ts'
import type { DeviceMailbox } from '../../shared/device-mailbox.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Metrics } from '../../shared/metrics.ts'
import { ensureWeekPartitions } from '../../shared/mysql/week-partitions.ts'
import type { OutboxListener } from '../../shared/outbox-listener.ts'
import { backOff } from './backoff.ts'
import { type Batch, toBatches } from './batch.ts'
import { createBatchWriter, FenceLostError, type WrittenBatch } from './batch-writer.ts'
import { createDeadLetters } from './dead-letters.ts'
import { createIngestMetrics } from './ingest-metrics.ts'
import { type LiveEvents, toLogEvent, toPresenceEvent } from './live-events.ts'
import { type LogEntry, openLogReader } from './log-reader.ts'
import { startLogTrimmer } from './log-trimmer.ts'
import { startOutboxFollower } from './outbox-follower.ts'
import { listenersOf } from './outbox-listeners.ts'
import { createOutboxPositions } from './outbox-positions.ts'
import { createPace } from './pace.ts'
import { createShardLeases, type OwnedShard } from './shard-leases.ts'

/** Bounds of ingest. */
export interface IngestLimits {
  /** Items per transaction. Default 1,000. */
  readonly maxRows: number
  /** Characters of JSON per transaction. Default 2 Mi. */
  readonly maxBytes: number
  /** The longest wait for more under load, in milliseconds. Default 25. */
  readonly lingerMs: number
  /** How long data are kept: where weekly partitions begin. Default 90. */
  readonly retentionDays: number
  /** Between renewals of the leases, in milliseconds. Default 1,500. */
  readonly renewIntervalMs: number
}

/** Bounds unless said otherwise. */
export const INGEST_LIMITS: IngestLimits = {
  maxRows: 1_000,
  maxBytes: 2 * 1024 * 1024,
  lingerMs: 25,
  retentionDays: 90,
  renewIntervalMs: 1_500,
}

const PARTITION_INTERVAL_MS = 86_400_000

/** Disposing gives the batch in work, the listeners and the leases this long each. */
const DRAIN_MS = 500

export interface IngestOptions {
  pool: Pool
  /** Commands on the ingest log's Redis; stays the caller's. */
  ingestRedis: Redis
  /** The same Redis, for a connection that waits. */
  ingestRedisUrl: string
  liveRedis: Redis
  livePublisher: LivePublisher
  /**
   * Who else is told of what is committed, each by a follower of its own. One that is new to the site begins with what
   * comes then; one that was left out for a while may have missed what the log has let go. Names are distinct, of a-z
   * and dashes. Default none.
   */
  listeners?: readonly OutboxListener[]
  directory: DeviceDirectory
  deviceMailbox: DeviceMailbox
  logger: Logger
  metrics: Metrics
  /** Stays the same when the supervisor starts this process anew: then it has its shards back at once. At most 64 characters. */
  owner: string
  limits?: Partial<IngestLimits>
}

/** Running ingest. Dispose finishes the batch in work, publishes it, frees the shards; under 2 s. */
export interface Ingest extends Closable {
  /** True once the tables are prepared and the shards that were free are taken. Stays true: what fails later heals. */
  isReady(): boolean
  /** Resolves when isReady turns true; rejects when ingest is disposed before. */
  readonly ready: Promise<void>
}

/**
 * Starts to write the ingest log to the tables. Returns at once and does not need its servers to be up: it tries until
 * they are.
 */
export function startIngest(options: IngestOptions): Ingest {
  const { pool, ingestRedis, ingestRedisUrl, deviceMailbox, logger, owner } = options
  if (owner === '' || owner.length > 64)
    throw new TypeError(`The owner of shards is named with 1 to 64 characters, not ${owner.length}`)
  const limits = { ...INGEST_LIMITS, ...options.limits }
  const metrics = createIngestMetrics(options.metrics)
  const leases = createShardLeases({ pool, owner })
  const reader = openLogReader({ url: ingestRedisUrl })
  const deadLetters = createDeadLetters({ redis: ingestRedis })
  const writer = createBatchWriter({ ...options, metrics, deadLetters })
  const confirmLeases = async () => leaveShards(await leases.renew())
  const followers = listenersOf(options).map(listener => {
    const positions = createOutboxPositions({ redis: ingestRedis, listener: listener.name })
    return startOutboxFollower({ ...options, listener, positions, leases, confirmLeases, metrics })
  })
  const trimmer = startLogTrimmer({ redis: ingestRedis, owned: leases.owned, followers, metrics, logger })
  const pace = createPace(limits)
  const closing = new AbortController()
  /** Owned shards whose listeners' positions are known; only these are read. */
  const readable = new Map<number, OwnedShard>()
  /** Time of the oldest entry by shard among those that are read and are being written. */
  const unwrittenSince = new Map<number, number>()
  let isReady = false
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})

  async function prepare(): Promise<void> {
    await untilDone('ingest.prepare_failed', async () => {
      await Promise.all([ensureWeekPartitions(pool, limits), takeShards()])
    })
    isReady = !closing.signal.aborted
    if (isReady) ready.resolve()
  }

  async function takeShards(): Promise<void> {
    await leases.acquire()
    const unread = [...leases.owned.values()].filter(({ shard }) => !readable.has(shard))
    if (unread.length > 0) {
      await Promise.all(followers.map(follower => follower.follow(unread)))
      for (const shard of unread) {
        readable.set(shard.shard, shard)
        noteLag(shard.shard, 0)
      }
      logger.info({ shards: unread.map(({ shard }) => shard) }, 'ingest.shards_acquired')
    }
    metrics.ownedShards.set(leases.owned.size)
  }

  function leaveShards(shards: readonly number[]): void {
    if (shards.length === 0) return
    for (const shard of shards) {
      readable.delete(shard)
      metrics.writerLags.delete(shard)
    }
    for (const follower of followers) follower.unfollow(shards)
    metrics.ownedShards.set(leases.owned.size)
    logger.warn({ shards }, 'ingest.shards_lost')
  }

  /** Tries until it succeeds or ingest closes. */
  async function untilDone(failed: string, work: () => Promise<void>): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt === 0 && !closing.signal.aborted) logger.warn({ err: error }, failed)
        metrics.retries.inc({ reason: 'healing' })
        await backOff(attempt, closing.signal)
      }
    }
  }

  async function keepLeases(): Promise<void> {
    let isFailing = false
    await ready.promise.catch(() => {})
    while (!closing.signal.aborted) {
      await sleep(limits.renewIntervalMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        leaveShards(await leases.renew())
        await takeShards()
        isFailing = false
      } catch (error) {
        if (!isFailing) logger.warn({ err: error }, 'ingest.lease_failed')
        isFailing = true
      }
    }
  }

  async function keepPartitions(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(PARTITION_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted)
        await untilDone('ingest.partitions_failed', () => ensureWeekPartitions(pool, limits))
    }
  }

  async function run(): Promise<void> {
    await prepare()
    let failures = 0
    while (!closing.signal.aborted) {
      await pace.wait(closing.signal)
      const shards = [...readable.values()]
      if (shards.length === 0) {
        await sleep(limits.renewIntervalMs / 10, undefined, { signal: closing.signal }).catch(() => {})
        continue
      }
      try {
        const entries = await reader.read(shards, pace.entriesPerShard(shards.length))
        failures = 0
        await writeEntries(entries, shards)
      } catch (error) {
        if (closing.signal.aborted) return
        if (failures === 0) logger.warn({ err: error }, 'ingest.read_failed')
        metrics.retries.inc({ reason: 'read' })
        await backOff(failures++, closing.signal)
      }
    }
  }

  async function writeEntries(entries: readonly LogEntry[], read: readonly OwnedShard[]): Promise<void> {
    let itemCount = 0
    for (const { shard, id } of entries.toReversed()) unwrittenSince.set(shard, Number.parseInt(id, 10))
    try {
      for (const batch of toBatches(entries, limits)) {
        if (closing.signal.aborted) return
        itemCount += batch.items.length
        if (!(await writeBatch(batch, read))) return
      }
    } finally {
      unwrittenSince.clear()
    }
    pace.noteRead(entries.length, itemCount)
  }

  /** Writes a batch; false when a shard of it is another's: what was read after it must be read anew. */
  async function writeBatch(batch: Batch, read: readonly OwnedShard[]): Promise<boolean> {
    const shards = read.filter(({ shard }) => batch.ends.has(shard))
    // A shard that was lost since, even if it is ours again, goes on from another position.
    if (shards.some(shard => readable.get(shard.shard) !== shard)) return false
    const stopTimer = metrics.batchSeconds.startTimer()
    let written: WrittenBatch | null
    try {
      written = await writer.write(batch, shards, closing.signal)
    } catch (error) {
      if (!(error instanceof FenceLostError)) throw error
      metrics.fencesLost.inc()
      leaveShards(await leases.dropLost())
      return false
    }
    stopTimer()
    // A shard that was lost meanwhile, even if it is ours again, is told of from its kept positions.
    const held = shards.filter(shard => readable.get(shard.shard) === shard)
    for (const shard of held) {
      shard.lastId = batch.ends.get(shard.shard) ?? shard.lastId
      noteLag(shard.shard, secondsSince(batch.oldestAt))
    }
    const isWhole = held.length === shards.length
    const committed = {
      ends: isWhole ? batch.ends : new Map(held.map(({ shard, lastId }) => [shard, lastId])),
      oldestAt: batch.oldestAt,
      events: isWhole && written ? toLiveEvents(written) : null,
    }
    for (const follower of followers) follower.committed(committed)
    metrics.batchRows.observe(batch.items.length)
    if (written !== null) note(written)
    return true
  }

  function noteLag(shard: number, lastSeconds: number): void {
    metrics.writerLags.set(shard, () => {
      const since = unwrittenSince.get(shard)
      return since === undefined ? lastSeconds : Math.max(lastSeconds, secondsSince(since))
    })
  }

  function note(written: WrittenBatch): void {
    for (const [table, count] of Object.entries(written.rowCounts)) metrics.rows.inc({ table }, count)
    metrics.duplicates.inc(written.duplicates)
    // Best effort, as the mailbox is: the dead letter is the record.
    const messages = describeConflicts(written.conflicts)
    if (messages.length > 0)
      deviceMailbox.send(messages).catch(error => logger.warn({ err: error }, 'ingest.conflict_not_told'))
  }

  const tasks = [run(), keepLeases(), keepPartitions()]
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    closing.abort()
    ready.reject(new Error('Ingest was closed before it was ready'))
    await reader[Symbol.asyncDispose]()
    await settle('ingest.batch_left', () => Promise.all(tasks))
    await Promise.all([
      ...followers.map(follower => settle('ingest.listener_left', () => follower[Symbol.asyncDispose]())),
      settle('ingest.trimmer_left', () => trimmer[Symbol.asyncDispose]()),
    ])
    await settle('ingest.leases_left', () => leases.release())
  }

  async function settle(failed: string, work: () => Promise<unknown>): Promise<void> {
    await withDeadline(failed, DRAIN_MS, work).catch(error => logger.warn({ err: error }, failed))
  }

  return {
    isReady: () => isReady,
    ready: ready.promise,
    [Symbol.asyncDispose]() {
      closed ??= close()
      return closed
    },
  }
}

function secondsSince(epochMs: number): number {
  return Math.max(0, Date.now() - epochMs) / 1000
}

function toLiveEvents({ logs, anomalyChanges, presence, reports, places }: WrittenBatch): LiveEvents {
  return {
    logs: logs.map(log => toLogEvent(log, places.get(log.deviceId))),
    anomalies: anomalyChanges,
    presence: presence.map(toPresenceEvent),
    reports,
  }
}

/** What devices are told of their ids that another one has used: one message for each device and destination. */
function describeConflicts(conflicts: readonly EventItem[]): QueueMessage[] {
  const reason = 'Another device has used this id.'
  const messages: QueueMessage[] = []
  for (const [deviceId, ofDevice] of Map.groupBy(conflicts, item => item.deviceId))
    for (const [kind, items] of Map.groupBy(ofDevice, item => item.kind)) {
      const errors = items.map(({ id }) => ({ index: null, id, field: 'id', reason }))
      const body: DeviceErrors = { destination: `/app/${kind}`, errors }
      messages.push({ deviceId, queue: '/user/queue/errors', body })
    }
  return messages
}
