import type { Redis } from 'ioredis'
import type { Pool } from 'mysql2/promise'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import { compareStreamIds } from '../../shared/live-topic/stream-id.ts'
import type { Logger } from '../../shared/logger.ts'
import { backOff } from './backoff.ts'
import { decodeEntry } from './entry-decoder.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import type { LiveEvents } from './live-events.ts'
import { type LogEntry, toLogEntry } from './log-reader.ts'
import type { OutboxPositions } from './outbox-positions.ts'
import type { OwnedShard, ShardLeases } from './shard-leases.ts'
import { loadLiveEvents } from './written-rows.ts'

/** Committed batches that wait in memory; past it they are read again from the log when their time comes. */
const MAX_WAITING_BATCHES = 32

/** How often positions are kept: what a crash delivers twice is what was delivered in this time. */
const SAVE_INTERVAL_MS = 200

/** Entries of a shard that are read again at a time. */
const REREAD_ENTRIES = 4

const REREAD_DEADLINE_MS = 5_000

/** How long a listener may take; past it the same is delivered again. */
const DELIVER_DEADLINE_MS = 30_000

/** A committed batch. */
export interface CommittedBatch {
  readonly ends: ReadonlyMap<number, string>
  readonly oldestAt: number
  /** Null when it is known only to the tables. */
  readonly events: LiveEvents | null
}

/** Whom a follower tells; as OutboxListener, of the reports too. */
export interface FollowingListener {
  readonly name: string
  deliver(events: LiveEvents, options: { readonly isRepeat: boolean }): Promise<void>
}

/** Tells a listener of what is committed; the ingest log is its outbox. */
export interface OutboxFollower extends Closable {
  /** Begins to follow shards from where the listener was told up to. Rejects when that cannot be read. */
  follow(shards: readonly OwnedShard[]): Promise<void>
  /** Leaves shards to their new owner, who delivers what was not. */
  unfollow(shards: readonly number[]): void
  /** Takes over a committed batch; never waits, so that a listener that fails does not stop the writer. */
  committed(batch: CommittedBatch): void
  /** Up to where a shard is delivered, as kept: what a crash would resume from. Undefined when it is not followed. */
  keptPosition(shard: number): string | undefined
}

interface Followed {
  delivered: string
  kept: string
  committed: string
}

export interface OutboxFollowerOptions {
  pool: Pool
  ingestRedis: Redis
  listener: FollowingListener
  positions: OutboxPositions
  leases: Pick<ShardLeases, 'isSure'>
  /** Renews the leases and unfollows the shards that turn out to be another's. */
  confirmLeases: () => Promise<void>
  metrics: IngestMetrics
  logger: Logger
}

/**
 * Starts the follower. Batches are delivered one after another from memory; after a failure, a crash or when too many
 * wait, it reads the entries between the delivered and the committed position again and delivers what the tables have
 * of them, as a repeat, in order per device. A listener that fails is tried again for ever, at most 2 s apart.
 */
export function startOutboxFollower(options: OutboxFollowerOptions): OutboxFollower {
  const { pool, ingestRedis, listener, positions, leases, confirmLeases, metrics, logger } = options
  const labels = { listener: listener.name }
  const followed = new Map<number, Followed>()
  const closing = new AbortController()
  let waiting: CommittedBatch[] = []
  /** Something between delivered and committed is not in `waiting`. */
  let mustReread = false
  let news = Promise.withResolvers<void>()
  /** Time of the oldest entry that is committed and not delivered, or somewhat older; Infinity when all is. */
  let oldestAt = Number.POSITIVE_INFINITY
  let failures = 0
  let savedAt = performance.now()
  let saveTimer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    while (!closing.signal.aborted || (waiting.length > 0 && failures === 0 && !mustReread)) {
      try {
        if (mustReread) await reread()
        else {
          const batch = waiting.shift()
          if (batch === undefined) {
            news = Promise.withResolvers<void>()
            await news.promise
            continue
          }
          await deliver(batch)
          oldestAt = waiting[0]?.oldestAt ?? (mustReread ? oldestAt : Number.POSITIVE_INFINITY)
        }
        if (failures > 0) logger.info(labels, 'ingest.delivering_again')
        failures = 0
      } catch (error) {
        if (failures === 0) logger.warn({ err: error, ...labels }, 'ingest.delivery_failed')
        metrics.deliveryFailures.inc(labels)
        fallBack()
        await backOff(failures++, closing.signal)
      }
    }
  }

  function fallBack(): void {
    if (!mustReread) metrics.rereads.inc(labels)
    mustReread = true
    waiting = []
  }

  async function deliver(
    { ends, events }: Omit<CommittedBatch, 'oldestAt'>,
    isRepeat = false,
  ): Promise<void> {
    const shards = [...ends.keys()]
    const areFollowed = () => shards.every(shard => followed.has(shard))
    while (areFollowed() && !leases.isSure(shards)) await confirmLeases()
    if (!areFollowed()) return fallBack()
    if (events !== null)
      await withDeadline(`Telling ${listener.name}`, DELIVER_DEADLINE_MS, () =>
        listener.deliver(events, { isRepeat }),
      )
    for (const [shard, end] of ends) advance(shard, end)
    await saveSoon()
  }

  function advance(shard: number, id: string): void {
    const position = followed.get(shard)
    if (position !== undefined && compareStreamIds(id, position.delivered) > 0) position.delivered = id
  }

  /** Delivers the next part of what is behind; done when nothing is. */
  async function reread(): Promise<void> {
    // Copies: while the log is read, more may be committed than was asked for.
    const behind = [...followed]
      .map(([shard, { delivered, committed }]) => ({ shard, delivered, committed }))
      .filter(({ delivered, committed }) => compareStreamIds(delivered, committed) < 0)
    if (behind.length === 0) {
      mustReread = false
      oldestAt = Number.POSITIVE_INFINITY
      return
    }
    const pipeline = ingestRedis.pipeline()
    for (const { shard, delivered, committed } of behind)
      pipeline.xrange(redisKeys.ingestLog(shard), `(${delivered}`, committed, 'COUNT', REREAD_ENTRIES)
    const results = await withDeadline('Reading the outbox', REREAD_DEADLINE_MS, () => pipeline.exec())
    const ends = new Map<number, string>()
    const entries: LogEntry[] = []
    for (const [index, { shard, committed }] of behind.entries()) {
      const [error, found] = results?.[index] ?? [new Error('no reply')]
      if (error) throw error
      const ofShard = (found as [string, string[]][]).map(entry => toLogEntry(shard, entry))
      entries.push(...ofShard)
      const last = ofShard.at(-1)
      ends.set(shard, last === undefined || ofShard.length < REREAD_ENTRIES ? committed : last.id)
    }
    if (entries.length > 0) oldestAt = Math.min(...entries.map(entry => timeOf(entry.id)))
    const items = entries.flatMap(entry => decodeEntry(entry).items)
    const events = await loadLiveEvents(pool, items)
    await deliver({ ends, events }, true)
  }

  async function saveSoon(): Promise<void> {
    const waitMs = SAVE_INTERVAL_MS - (performance.now() - savedAt)
    if (waitMs <= 0) return save()
    saveIn(waitMs)
  }

  function saveIn(waitMs: number): void {
    saveTimer ??= setTimeout(() => {
      save().catch(error => logger.warn({ err: error, ...labels }, 'ingest.position_not_kept'))
    }, waitMs)
  }

  async function save(): Promise<void> {
    clearTimeout(saveTimer)
    saveTimer = undefined
    savedAt = performance.now()
    const behind = [...followed].filter(([, { delivered, kept }]) => delivered !== kept)
    // A new owner may have kept a later one.
    const moved = behind.filter(([shard]) => leases.isSure([shard]))
    if (moved.length < behind.length && !closing.signal.aborted) saveIn(SAVE_INTERVAL_MS)
    const saved = new Map(moved.map(([shard, { delivered }]) => [shard, delivered]))
    await positions.save(saved)
    for (const [shard, position] of moved) position.kept = saved.get(shard) ?? position.kept
  }

  metrics.outboxLags.set(listener.name, () => Math.max(0, Date.now() - oldestAt) / 1000)
  const running = run()

  return {
    async follow(shards) {
      const delivered = await positions.open(shards)
      for (const { shard, lastId } of shards) {
        const from = delivered.get(shard) ?? lastId
        followed.set(shard, { delivered: from, kept: from, committed: lastId })
        if (compareStreamIds(from, lastId) < 0) {
          oldestAt = Math.min(oldestAt, timeOf(from))
          fallBack()
        }
      }
      news.resolve()
    },
    unfollow(shards) {
      for (const shard of shards) followed.delete(shard)
      if (waiting.some(({ ends }) => shards.some(shard => ends.has(shard)))) fallBack()
    },
    committed(batch) {
      for (const [shard, end] of batch.ends) {
        const position = followed.get(shard)
        if (position !== undefined) position.committed = end
      }
      oldestAt = Math.min(oldestAt, batch.oldestAt)
      if (batch.events === null || waiting.length >= MAX_WAITING_BATCHES) fallBack()
      if (!mustReread) waiting.push(batch)
      news.resolve()
    },
    keptPosition: shard => followed.get(shard)?.kept,
    async [Symbol.asyncDispose]() {
      closing.abort()
      news.resolve()
      await running
      await save().catch(error => logger.warn({ err: error, ...labels }, 'ingest.position_not_kept'))
      clearTimeout(saveTimer)
    },
  }
}

/** Epoch milliseconds of a stream id. */
function timeOf(id: string): number {
  return Number.parseInt(id, 10)
}
