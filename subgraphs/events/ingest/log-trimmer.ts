import type { Redis } from 'ioredis'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import { compareStreamIds } from '../../shared/live-topic/stream-id.ts'
import type { Logger } from '../../shared/logger.ts'
import type { IngestMetrics } from './ingest-metrics.ts'
import type { OutboxFollower } from './outbox-follower.ts'
import type { OwnedShard } from './shard-leases.ts'

const INTERVAL_MS = 1_000
const DEADLINE_MS = 5_000

/** Stands before every entry. */
const NOTHING = '0-0'

/**
 * Starts to trim the owned shards of the ingest log, once a second, behind the slowest of the writer and all followers:
 * an entry goes only when nobody will read it again. Measures what is left, too.
 */
export function startLogTrimmer({
  redis,
  owned,
  followers,
  metrics,
  logger,
}: {
  redis: Redis
  owned: ReadonlyMap<number, OwnedShard>
  followers: readonly Pick<OutboxFollower, 'keptPosition'>[]
  metrics: IngestMetrics
  logger: Logger
}): Closable & { trim(): Promise<void> } {
  const trimmedTo = new Map<number, string>()
  let trimming: Promise<void> | undefined

  async function trimAll(): Promise<void> {
    const pipeline = redis.pipeline()
    /** Shard of each command; undefined for an XTRIM. */
    const countedBy: (number | undefined)[] = []
    const trimmed = new Map<number, string>()
    for (const { shard, lastId } of owned.values()) {
      let done = lastId
      for (const follower of followers) {
        const kept = follower.keptPosition(shard)
        if (kept === undefined || compareStreamIds(kept, done) < 0) done = kept ?? NOTHING
      }
      if (done === NOTHING) continue
      const key = redisKeys.ingestLog(shard)
      if (trimmedTo.get(shard) !== done) {
        pipeline.xtrim(key, 'MINID', '=', idAfter(done))
        countedBy.push(undefined)
        trimmed.set(shard, done)
      }
      pipeline.xlen(key)
      countedBy.push(shard)
    }
    if (countedBy.length === 0) return
    const results = (await withDeadline('Trimming the ingest log', DEADLINE_MS, () => pipeline.exec())) ?? []
    const failed = results.find(([error]) => error !== null)
    if (failed) throw failed[0]
    for (const [shard, done] of trimmed) trimmedTo.set(shard, done)
    for (const [index, [, length]] of results.entries()) {
      const shard = countedBy[index]
      if (shard !== undefined) metrics.lagEntries.set({ shard }, Number(length))
    }
  }

  function trim(): Promise<void> {
    trimming ??= trimAll().finally(() => {
      trimming = undefined
    })
    return trimming
  }

  const timer = setInterval(() => {
    trim().catch(error => logger.warn({ err: error }, 'ingest.trim_failed'))
  }, INTERVAL_MS)

  return {
    trim,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await trimming?.catch(() => {})
    },
  }
}

/** The smallest stream id after `id`. */
function idAfter(id: string): string {
  const [ms = '0', sequence = '0'] = id.split('-')
  return `${ms}-${Number(sequence) + 1}`
}
