import type { Redis } from 'ioredis'
import { Gauge } from 'prom-client'
import { SHARD_COUNT } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'
import type { LogPressure } from './door-ports.ts'

/** Bytes of the ingest log at which doors stop to read. */
export const MAX_INGEST_LOG_BYTES = 512 * 1024 * 1024

/** The log is low again below this part of its bound, so that doors do not stop and go with each sample. */
const LOW_PART = 0.9

/** Nodes of a stream that Redis looks at to estimate its size: some 100 µs per shard. */
const SAMPLED_NODES = 50

/** The pressure of the ingest log, sampled. Dispose stops sampling. */
export interface IngestLogGuard extends LogPressure {
  /** Takes a sample now. Never rejects: a log that cannot be measured is high. */
  sample(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Begins to watch the size of the ingest log: high from `maxBytes` on, low again below 90 % of it, and high while it
 * cannot be measured. Sizes are Redis's own estimate (MEMORY USAGE of each shard), in one round trip per sample.
 */
export function createIngestLogGuard({
  redis,
  logger,
  metrics,
  maxBytes = MAX_INGEST_LOG_BYTES,
  intervalMs = 1_000,
}: {
  redis: Redis
  logger: Logger
  metrics: Metrics
  /** Default 512 MiB. */
  maxBytes?: number
  /** Between samples; a sample may take twice that. Default 1 s. */
  intervalMs?: number
}): IngestLogGuard {
  const logBytes = new Gauge({
    name: 'nuvion_ingest_log_bytes',
    help: 'Size of the ingest log in Redis, about. Rising means that the writer is behind; at its bound doors stop reading their devices.',
    registers: [metrics],
  })
  const listeners = new Set<(isHigh: boolean) => void>()
  let isHigh = false
  let isClosed = false
  let sampling: Promise<void> | undefined
  let timer: NodeJS.Timeout

  function change(next: boolean, why: object): void {
    if (isClosed || next === isHigh) return
    isHigh = next
    logger.warn({ isHigh, ...why }, 'ingest_log.pressure')
    for (const listener of listeners) listener(isHigh)
  }

  async function takeSample(): Promise<void> {
    try {
      const bytes = await withDeadline('The size of the ingest log', 2 * intervalMs, () => measure(redis))
      logBytes.set(bytes)
      change(isHigh ? bytes >= LOW_PART * maxBytes : bytes >= maxBytes, { bytes, maxBytes })
    } catch (error) {
      change(true, { err: error })
    }
  }

  function sample(): Promise<void> {
    sampling ??= takeSample().finally(() => {
      sampling = undefined
    })
    return sampling
  }

  function plan(): void {
    timer = setTimeout(() => {
      sample().then(() => {
        if (!isClosed) plan()
      })
    }, intervalMs)
  }
  plan()

  return {
    get isHigh() {
      return isHigh
    },
    onChange(listener) {
      listeners.add(listener)
    },
    sample,
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await sampling
    },
  }
}

async function measure(redis: Redis): Promise<number> {
  const pipeline = redis.pipeline()
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    pipeline.memory('USAGE', redisKeys.ingestLog(shard), 'SAMPLES', SAMPLED_NODES)
  let bytes = 0
  for (const [error, size] of (await pipeline.exec()) ?? []) {
    if (error !== null) throw error
    // null: the shard has no entry yet.
    bytes += Number(size ?? 0)
  }
  return bytes
}
