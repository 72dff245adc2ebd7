import type { Pool, RowDataPacket } from 'mysql2/promise'
import type {
  AnomalyItem,
  ConnectivityItem,
  EventItem,
  IngestItem,
  LogItem,
  PresenceItem,
  StateItem,
} from '../../../schema/ingest-entry.ts'
import type { AnomalyChange } from '../../../schema/live-event.ts'
import type { DeviceDirectory } from '../../shared/device-directory.ts'
import type { Logger } from '../../shared/logger.ts'
import { backOff } from './backoff.ts'
import type { Batch } from './batch.ts'
import { type BatchPlan, type ExistingRows, planBatch, type StatusChange } from './batch-plan.ts'
import { type BatchRows, writeBatchRows } from './batch-rows.ts'
import { moveOffsets } from './batch-statements.ts'
import type { DeadItem, DeadLetters } from './dead-letters.ts'
import { findExistingEvents, type Places } from './event-rows.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import { findPoison } from './poison-search.ts'
import type { OwnedShard } from './shard-leases.ts'
import { classifyWriteFailure } from './write-failure.ts'
import { openTransaction } from './write-transaction.ts'

/** A device that sends logs only is noted as seen in `device_status` at most this often. */
const LAST_SEEN_INTERVAL_MS = 10_000

/** Devices remembered for that; past it all are forgotten, which costs one row each. */
const MAX_REMEMBERED_DEVICES = 50_000

/** Times that a batch may lose against people before that is worth a word. */
const MAX_RACES = 5

/** Another process owns a shard of the batch: nothing of it was written. */
export class FenceLostError extends Error {
  override readonly name = 'FenceLostError'
}

/** What a committed batch has brought. */
export interface WrittenBatch {
  /** Logs that were not in the table before. */
  readonly logs: readonly LogItem[]
  /** The same of occurrences of anomalies, and word that they are over. */
  readonly anomalies: readonly AnomalyItem[]
  /** What became of anomalies by that. */
  readonly anomalyChanges: readonly AnomalyChange[]
  readonly conflicts: readonly EventItem[]
  readonly presence: readonly PresenceItem[]
  /** States and connectivity, all of them, in order. */
  readonly reports: readonly (StateItem | ConnectivityItem)[]
  /** Logs and anomalies that were left out because they had been written before. */
  readonly duplicates: number
  /** Rows inserted or merged, by table. */
  readonly rowCounts: Readonly<Record<string, number>>
  readonly places: Places
}

/** Writes batches. */
export interface BatchWriter {
  /**
   * Writes a batch and its offsets in one transaction, repeating it until it is done. Null when it turned out to be
   * committed by an attempt whose answer was lost: what was new in it is then only in the tables. Rejects with
   * FenceLostError, or, when an attempt fails after `signal` has aborted, with its reason; then nothing was written
   * or, if an answer was lost, the offsets tell.
   */
  write(batch: Batch, shards: readonly OwnedShard[], signal: AbortSignal): Promise<WrittenBatch | null>
}

export interface BatchWriterOptions {
  pool: Pool
  directory: DeviceDirectory
  deadLetters: DeadLetters
  metrics: IngestMetrics
  logger: Logger
}

/**
 * Creates the writer. It inserts as if all were new; on a duplicate it looks up which ids exist and inserts the rest.
 * Items that can never be written are found by bisection and moved to the dead letters before the offset passes them.
 */
export function createBatchWriter(options: BatchWriterOptions): BatchWriter {
  const { pool, directory, deadLetters, metrics, logger } = options
  const lastSeenWritten = new Map<string, number>()

  /** Runs the statements of a batch; commits only when `shards` are given. */
  async function transact(
    items: readonly IngestItem[],
    existing: ExistingRows,
    places: Places,
    offsets: { shards: readonly OwnedShard[]; ends: Batch['ends'] } | null,
  ): Promise<{ plan: BatchPlan; rows: BatchRows }> {
    const plan = planBatch(items, existing)
    await using transaction = await openTransaction(pool)
    const rows = await writeBatchRows(transaction.connection, plan, places, isWorthWriting)
    if (offsets === null) return { plan, rows }
    await deadLetters.append(plan.conflicts.map(toConflict))
    if (!(await moveOffsets(transaction.connection, offsets.shards, offsets.ends))) throw new FenceLostError()
    await transaction.commit()
    return { plan, rows }
  }

  function isWorthWriting(status: StatusChange): boolean {
    return status.lastSeenAt - (lastSeenWritten.get(status.deviceId) ?? 0) >= LAST_SEEN_INTERVAL_MS
  }

  function remember(statuses: readonly StatusChange[]): void {
    if (lastSeenWritten.size > MAX_REMEMBERED_DEVICES) lastSeenWritten.clear()
    for (const { deviceId, lastSeenAt } of statuses) lastSeenWritten.set(deviceId, lastSeenAt)
  }

  /** Where the table says that the batch is: ahead of us, behind us (committed), or another's. */
  async function isCommitted(shards: readonly OwnedShard[], ends: Batch['ends']): Promise<boolean> {
    const [rows] = await pool.query<RowDataPacket[]>('SELECT shard, fence, last_id FROM ingest_offset')
    const offsets = new Map(rows.map(row => [row.shard, row]))
    if (shards.some(({ shard, fence }) => Number(offsets.get(shard)?.fence) !== fence))
      throw new FenceLostError()
    return shards.every(({ shard }) => offsets.get(shard)?.last_id === ends.get(shard))
  }

  async function write(batch: Batch, shards: readonly OwnedShard[], signal: AbortSignal) {
    let items = batch.items
    let existing: ExistingRows = new Map()
    let places: Places | undefined
    let failures = 0
    let mayBeCommitted = false
    const dead: DeadItem[] = batch.malformed.map(({ shard, entryId, text }) => {
      return { reason: 'MALFORMED', detail: `in ${entryId} of shard ${shard}`, what: text }
    })
    let deadKept = 0
    for (;;) {
      try {
        if (mayBeCommitted && (await isCommitted(shards, batch.ends))) return null
        mayBeCommitted = false
        await deadLetters.append(dead.slice(deadKept))
        deadKept = dead.length
        places ??= await directory.placesOf(devicesOfEvents(items))
        const { plan, rows } = await transact(items, existing, places, {
          shards,
          ends: batch.ends,
        })
        remember(rows.statuses)
        for (const { reason } of dead) metrics.dead.inc({ reason })
        metrics.dead.inc({ reason: 'CONFLICT' }, plan.conflicts.length)
        return {
          logs: plan.logs,
          anomalies: plan.anomalies,
          anomalyChanges: rows.anomalyChanges,
          conflicts: plan.conflicts,
          presence: rows.presence.events,
          reports: plan.reports,
          duplicates: plan.duplicates,
          rowCounts: rows.counts,
          places,
        }
      } catch (error) {
        if (error instanceof FenceLostError) throw error
        signal.throwIfAborted()
        const failure = classifyWriteFailure(error)
        try {
          if (failure === 'duplicate') {
            const before = existing.size
            existing = await findExistingEvents(pool, eventsOf(items))
            if (existing.size > before) continue
          }
          if (failure === 'poison') {
            existing = await findExistingEvents(pool, eventsOf(items))
            const poison = await findPoison(items, part =>
              transact(part, existing, places ?? new Map(), null),
            )
            logger.error({ err: error, items: poison.length }, 'ingest.poison')
            const poisoned = new Set(poison.map(({ what }) => what))
            items = items.filter(item => !poisoned.has(item))
            dead.push(...poison)
            // Nothing fails alone: then it was no poison, or it has healed. The pause keeps this from spinning.
            if (poison.length > 0) continue
          }
        } catch (nested) {
          logger.debug({ err: nested }, 'ingest.isolation_failed')
        }
        mayBeCommitted = failure !== 'contention'
        // A duplicate that is no event: somebody has just reopened an anomaly of a kind that was to be opened.
        const isRace = failure === 'contention' || failure === 'duplicate'
        metrics.retries.inc({ reason: isRace ? 'contention' : 'healing' })
        if (failures === (isRace ? MAX_RACES : 0) && failure !== 'contention')
          logger.warn({ err: error }, 'ingest.batch_failed')
        await backOff(failure === 'contention' ? 0 : failures, signal)
        signal.throwIfAborted()
        failures++
      }
    }
  }

  return { write }
}

function eventsOf(items: readonly IngestItem[]): EventItem[] {
  return items.filter(item => item.kind === 'log' || item.kind === 'anomaly')
}

function devicesOfEvents(items: readonly IngestItem[]): string[] {
  return [...new Set(eventsOf(items).map(event => event.deviceId))]
}

function toConflict(item: EventItem): DeadItem {
  return { reason: 'CONFLICT', detail: 'another device has used this id', what: item }
}
