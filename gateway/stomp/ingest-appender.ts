import type { Redis } from 'ioredis'
import { Counter, Gauge, Histogram } from 'prom-client'
import { shardOf } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'
import type { IngestAppender } from './door-ports.ts'

/** An entry of the log is closed before it grows past this; one larger item still is an entry of its own. */
const MAX_ENTRY_BYTES = 512 * 1024

/** Bounds of the appender. */
export interface IngestAppenderLimits {
  /** Items that wait or are on their way; what comes past it is refused. */
  readonly maxPendingItems: number
  /** The same in bytes of JSON. */
  readonly maxPendingBytes: number
  readonly maxItemsPerEntry: number
  /** For one round trip; a call waits for at most two. */
  readonly appendDeadlineMs: number
}

/** Bounds unless said otherwise. */
export const INGEST_APPENDER_LIMITS: IngestAppenderLimits = {
  maxPendingItems: 50_000,
  maxPendingBytes: 32 * 1024 * 1024,
  maxItemsPerEntry: 500,
  appendDeadlineMs: 5_000,
}

/** The appender of a door. Dispose refuses new items and waits for those it has. */
export interface DisposableIngestAppender extends IngestAppender {
  [Symbol.asyncDispose](): Promise<void>
}

interface Call {
  readonly texts: readonly string[]
  readonly shards: readonly number[]
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: AppError) => void
}

/**
 * Creates the appender of a door to the ingest log. Give it a connection of its own: it drops one that is late.
 *
 * What comes in a tick, or while an append is on its way, leaves together: one XADD per shard (more when large), all
 * in one MULTI, so that Redis takes the whole of it or nothing. One append is on its way at a time. When it fails,
 * everything that waits behind it for the same shards is refused with it: later items of a device never overtake
 * earlier ones that their sender will send again.
 *
 * At least once: an append that was late or whose answer was lost may be in the log all the same. The sender sends it
 * again under the same ids. With `replicas` > 0 it resolves only once that many replicas have it too (WAIT).
 */
export function createIngestAppender({
  redis,
  logger,
  metrics,
  limits = INGEST_APPENDER_LIMITS,
  replicas = 0,
}: {
  redis: Redis
  logger: Logger
  metrics: Metrics
  limits?: IngestAppenderLimits
  replicas?: number
}): DisposableIngestAppender {
  const count = createAppenderMetrics(metrics)
  let waiting: Call[] = []
  let pendingItems = 0
  let pendingBytes = 0
  let isScheduled = false
  let isClosed = false
  let inFlight: Promise<void> | undefined

  function schedule(): void {
    if (isScheduled || inFlight !== undefined || waiting.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      inFlight = appendWaiting().finally(() => {
        inFlight = undefined
        schedule()
      })
    })
  }

  function finish(call: Call, error?: AppError): void {
    pendingItems -= call.texts.length
    pendingBytes -= call.bytes
    if (error === undefined) call.resolve()
    else call.reject(error)
  }

  async function appendWaiting(): Promise<void> {
    const calls = waiting
    waiting = []
    const entries = packEntries(calls, limits.maxItemsPerEntry)
    const stopTimer = count.seconds.startTimer()
    let failures: ReadonlyMap<number, unknown>
    const sent = sendEntries(redis, entries, replicas, limits.appendDeadlineMs)
    let isAnswered = false
    const answered = sent.then(
      () => {},
      () => {},
    )
    answered.then(() => {
      isAnswered = true
    })
    try {
      failures = await withDeadline('The ingest log', limits.appendDeadlineMs, () => sent)
    } catch (error) {
      failures = new Map(entries.map(({ shard }) => [shard, error]))
    }
    stopTimer()
    const late = [...failures.values()].some(cause => cause instanceof AppError)
    if (failures.size > 0) {
      count.failures.inc({ reason: late ? 'late' : 'refused' })
      logger.warn(
        { err: failures.values().next().value, shards: [...failures.keys()] },
        'ingest_log.append_failed',
      )
    }
    const behind = failures.size > 0 ? waiting : []
    if (failures.size > 0) waiting = []
    for (const call of calls) {
      const refusal = refusalOf(call, failures)
      if (refusal === undefined) count.items.inc(call.texts.length)
      finish(call, refusal)
    }
    for (const call of behind) {
      const refusal = refusalOf(call, failures)
      if (refusal === undefined) waiting.push(call)
      else finish(call, refusal)
    }
    count.entries.inc(entries.length)
    count.pending.set(pendingItems)
    // A late answer is of no use: the connection is dropped, so that nothing piles up in it.
    if (late && !isAnswered) redis.disconnect(true)
    await answered
  }

  return {
    append(items) {
      if (items.length === 0) return Promise.resolve()
      if (isClosed) return Promise.reject(new AppError('UNAVAILABLE', 'The door is closing.'))
      const texts = items.map(item => JSON.stringify(item))
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      if (
        pendingItems + items.length > limits.maxPendingItems ||
        pendingBytes + bytes > limits.maxPendingBytes
      ) {
        count.failures.inc({ reason: 'full' })
        return Promise.reject(new AppError('UNAVAILABLE', 'Too much waits for the ingest log. Try again.'))
      }
      pendingItems += items.length
      pendingBytes += bytes
      return new Promise((resolve, reject) => {
        waiting.push({ texts, shards: items.map(item => shardOf(item.deviceId)), bytes, resolve, reject })
        schedule()
      })
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      while (inFlight !== undefined || waiting.length > 0) {
        await inFlight
        await new Promise(setImmediate)
      }
    },
  }
}

interface Entry {
  readonly shard: number
  readonly texts: string[]
  bytes: number
}

/** Packs the items of calls into entries of each shard, in order. */
function packEntries(calls: readonly Call[], maxItemsPerEntry: number): Entry[] {
  const entries: Entry[] = []
  const open = new Map<number, Entry>()
  for (const { texts, shards } of calls)
    for (const [index, text] of texts.entries()) {
      const shard = shards[index] ?? 0
      const bytes = Buffer.byteLength(text) + 1
      let entry = open.get(shard)
      if (
        entry === undefined ||
        entry.texts.length >= maxItemsPerEntry ||
        entry.bytes + bytes > MAX_ENTRY_BYTES
      ) {
        entry = { shard, texts: [], bytes: 1 }
        open.set(shard, entry)
        entries.push(entry)
      }
      entry.texts.push(text)
      entry.bytes += bytes
    }
  return entries
}

/** Appends entries in one round trip. Resolves to the shards that failed; rejects when all did. */
async function sendEntries(
  redis: Redis,
  entries: readonly Entry[],
  replicas: number,
  deadlineMs: number,
): Promise<ReadonlyMap<number, unknown>> {
  const transaction = redis.multi()
  for (const { shard, texts } of entries)
    transaction.xadd(redisKeys.ingestLog(shard), '*', 'v', `[${texts.join(',')}]`)
  const executed = transaction.exec()
  // Half of the deadline: replicas that are late shall not look like a Redis that is.
  const replicated = replicas > 0 ? redis.wait(replicas, Math.ceil(deadlineMs / 2)) : undefined
  const [results, acknowledged = 0] = await Promise.all([executed, replicated])
  if (acknowledged < replicas)
    throw new Error(`Only ${acknowledged} of ${replicas} replicas have taken the append`)
  const failures = new Map<number, unknown>()
  for (const [index, { shard }] of entries.entries()) {
    const [error, id] = results?.[index] ?? [new Error('The transaction was not executed')]
    if (error !== null || typeof id !== 'string')
      failures.set(shard, error ?? new Error('XADD answered no id'))
  }
  return failures
}

function refusalOf(call: Call, failures: ReadonlyMap<number, unknown>): AppError | undefined {
  const failed = failures.size === 0 ? undefined : call.shards.find(shard => failures.has(shard))
  if (failed === undefined) return undefined
  return new AppError('UNAVAILABLE', 'The ingest log cannot take this now. Send it again.', {
    cause: failures.get(failed),
  })
}

function createAppenderMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    seconds: new Histogram({
      name: 'nuvion_ingest_append_seconds',
      help: 'Time of one append to the ingest log, its fsync and replicas included. Rising means that the disk or the CPU under its Redis is busy.',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    items: new Counter({
      name: 'nuvion_ingest_append_items_total',
      help: 'Items that the ingest log has taken. Falling while devices are connected means that the door does not read them.',
      registers,
    }),
    entries: new Counter({
      name: 'nuvion_ingest_append_entries_total',
      help: 'Entries sent to the ingest log. Rising faster than the items means smaller entries: more cost per item.',
      registers,
    }),
    failures: new Counter({
      name: 'nuvion_ingest_append_failures_total',
      help: 'Appends refused: full (too much waits), late (past the deadline), refused (by Redis). Rising means that devices have to send again.',
      labelNames: ['reason'] as const,
      registers,
    }),
    pending: new Gauge({
      name: 'nuvion_ingest_append_pending_items',
      help: 'Items that wait for the ingest log after the last append. Rising means that it is slower than the devices.',
      registers,
    }),
  }
}
