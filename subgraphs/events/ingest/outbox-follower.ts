import type { Redis } from 'ioredis'
import type { Pool } from 'mysql2/promise'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import { compareStreamIds } from '../../shared/live-topic/stream-id.ts'
import type { Logger } from '../../shared/logger.ts'
import { backOff } from './backoff.ts'
import { decodeEntry } from './entry-decoder.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import { type LiveEvents, publishLiveEvents } from './live-events.ts'
import { type LogEntry, toLogEntry } from './log-reader.ts'
import type { PublishedPositions } from './published-positions.ts'
import type { OwnedShard, ShardLeases } from './shard-leases.ts'
import { loadLiveEvents } from './written-rows.ts'

/** Committed batches that wait in memory; past it they are read again from the log when their time comes. */
const MAX_WAITING_BATCHES = 32

/** How often positions are kept: what a crash publishes twice is what was published in this time. */
const SAVE_INTERVAL_MS = 200

/** Entries of a shard that are read again at a time. */
const REREAD_ENTRIES = 4

const REREAD_DEADLINE_MS = 5_000

/** A committed batch. */
export interface CommittedBatch {
  readonly ends: ReadonlyMap<number, string>
  readonly oldestAt: number
  /** Null when it is known only to the tables. */
  readonly events: LiveEvents | null
}

/** Publishes what is committed; the ingest log is its outbox. */
export interface OutboxFollower extends Closable {
  /** Begins to follow shards from where they were published up to. Rejects when that cannot be read. */
  follow(shards: readonly OwnedShard[]): Promise<void>
  /** Leaves shards to their new owner, who publishes what was not. */
  unfollow(shards: readonly number[]): void
  /** Takes over a committed batch; never waits, so that a Redis that is away does not stop the writer. */
  committed(batch: CommittedBatch): void
  /** Up to where a shard is published, as kept: what a crash would resume from. Undefined when it is not followed. */
  keptPosition(shard: number): string | undefined
}

interface Followed {
  published: string
  kept: string
  committed: string
}

export interface OutboxFollowerOptions {
  pool: Pool
  ingestRedis: Redis
  liveRedis: Redis
  livePublisher: LivePublisher
  positions: PublishedPositions
  leases: Pick<ShardLeases, 'isSure'>
  /** Renews the leases and unfollows the shards that turn out to be another's. */
  confirmLeases: () => Promise<void>
  metrics: IngestMetrics
  logger: Logger
}

/**
 * Starts the follower. Batches are published one after another from memory; after a failure, a crash or when too many
 * wait, it reads the entries between the published and the committed position again and publishes what the tables
 * have of them and the topics have not: once, in order per device, as long as the live Redis keeps its data.
 */
export function startOutboxFollower(options: OutboxFollowerOptions): OutboxFollower {
  const { pool, ingestRedis, positions, leases, confirmLeases, metrics, logger } = options
  const followed = new Map<number, Followed>()
  const closing = new AbortController()
  let waiting: CommittedBatch[] = []
  /** Something between published and committed is not in `waiting`. */
  let mustReread = false
  let news = Promise.withResolvers<void>()
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
          await publish(batch)
        }
        if (failures > 0) logger.info('ingest.publishing_again')
        failures = 0
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'ingest.publish_failed')
        metrics.retries.inc({ reason: 'publish' })
        fallBack()
        await backOff(failures++, closing.signal)
      }
    }
  }

  function fallBack(): void {
    if (!mustReread) metrics.rereads.inc()
    mustReread = true
    waiting = []
  }

  async function publish({ ends, events, oldestAt }: CommittedBatch, isRepeat = false): Promise<void> {
    const shards = [...ends.keys()]
    const areFollowed = () => shards.every(shard => followed.has(shard))
    while (areFollowed() && !leases.isSure(shards)) await confirmLeases()
    if (!areFollowed()) return fallBack()
    if (events !== null) await publishLiveEvents(options, events, isRepeat)
    for (const [shard, end] of ends) advance(shard, end)
    metrics.publishedLagSeconds.set(Math.max(0, Date.now() - oldestAt) / 1000)
    await saveSoon()
  }

  function advance(shard: number, id: string): void {
    const position = followed.get(shard)
    if (position !== undefined && compareStreamIds(id, position.published) > 0) position.published = id
  }

  /** Publishes the next part of what is behind; done when nothing is. */
  async function reread(): Promise<void> {
    // Copies: while the log is read, more may be committed than was asked for.
    const behind = [...followed]
      .map(([shard, { published, committed }]) => ({ shard, published, committed }))
      .filter(({ published, committed }) => compareStreamIds(published, committed) < 0)
    if (behind.length === 0) {
      mustReread = false
      return
    }
    const pipeline = ingestRedis.pipeline()
    for (const { shard, published, committed } of behind)
      pipeline.xrange(redisKeys.ingestLog(shard), `(${published}`, committed, 'COUNT', REREAD_ENTRIES)
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
    const items = entries.flatMap(entry => decodeEntry(entry).items)
    const events = await loadLiveEvents(pool, items)
    const oldestAt = Math.min(...entries.map(entry => Number.parseInt(entry.id, 10)), Date.now())
    await publish({ ends, events, oldestAt }, true)
  }

  async function saveSoon(): Promise<void> {
    const waitMs = SAVE_INTERVAL_MS - (performance.now() - savedAt)
    if (waitMs <= 0) return save()
    saveIn(waitMs)
  }

  function saveIn(waitMs: number): void {
    saveTimer ??= setTimeout(() => {
      save().catch(error => logger.warn({ err: error }, 'ingest.position_not_kept'))
    }, waitMs)
  }

  async function save(): Promise<void> {
    clearTimeout(saveTimer)
    saveTimer = undefined
    savedAt = performance.now()
    const behind = [...followed].filter(([, { published, kept }]) => published !== kept)
    // A new owner may have kept a later one.
    const moved = behind.filter(([shard]) => leases.isSure([shard]))
    if (moved.length < behind.length && !closing.signal.aborted) saveIn(SAVE_INTERVAL_MS)
    const saved = new Map(moved.map(([shard, { published }]) => [shard, published]))
    await positions.save(saved)
    for (const [shard, position] of moved) position.kept = saved.get(shard) ?? position.kept
  }

  const running = run()

  return {
    async follow(shards) {
      const published = await positions.open(shards)
      for (const { shard, lastId } of shards) {
        const from = published.get(shard) ?? lastId
        followed.set(shard, { published: from, kept: from, committed: lastId })
        if (compareStreamIds(from, lastId) < 0) fallBack()
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
      if (batch.events === null || waiting.length >= MAX_WAITING_BATCHES) fallBack()
      if (!mustReread) waiting.push(batch)
      news.resolve()
    },
    keptPosition: shard => followed.get(shard)?.kept,
    async [Symbol.asyncDispose]() {
      closing.abort()
      news.resolve()
      await running
      await save().catch(error => logger.warn({ err: error }, 'ingest.position_not_kept'))
      clearTimeout(saveTimer)
    },
  }
}
