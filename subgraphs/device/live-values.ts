import type { Redis } from 'ioredis'
import { withDeadline } from '../shared/deadline.ts'
import type { Logger } from '../shared/logger.ts'

/** Reads values of the live Redis, which can be done without. */
export interface LiveValues {
  /** Values in the order of the keys, in one round trip. Null for a missing key, and for all when Redis is away. */
  read(keys: readonly string[]): Promise<(string | null)[]>
}

/**
 * Creates the reader. A read waits for `deadlineMs` (default 1 s); once one has failed the next is tried
 * `retryAfterMs` (default 1 s) later, so that not every request waits for a Redis that is away. Going and coming
 * back are logged once each.
 */
export function createLiveValues({
  redis,
  logger,
  deadlineMs = 1_000,
  retryAfterMs = 1_000,
}: {
  redis: Redis
  logger: Logger
  deadlineMs?: number
  retryAfterMs?: number
}): LiveValues {
  let isAway = false
  let retryAt = 0
  return {
    async read(keys) {
      if (isAway && Date.now() < retryAt) return keys.map(() => null)
      try {
        const values = await withDeadline('Reading live values', deadlineMs, () => redis.mget([...keys]))
        if (isAway) logger.info('device.live_values_back')
        isAway = false
        return values
      } catch (error) {
        if (!isAway) logger.warn({ err: error }, 'device.live_values_away')
        isAway = true
        retryAt = Date.now() + retryAfterMs
        return keys.map(() => null)
      }
    },
  }
}
