import type { Redis } from 'ioredis'
import type { DeadLetter, IngestItem } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'

/** Entries that the dead-letter stream keeps, about. */
const MAX_ENTRIES = 100_000

/** Characters kept of something that could not even be decoded. */
const MAX_TEXT_LENGTH = 64 * 1024

const DEADLINE_MS = 5_000

/** Why an item cannot be written. */
export type DeadReason = 'MALFORMED' | 'CONFLICT' | 'POISON'

/** Something that will never be written: an item, or the text of what is none. */
export interface DeadItem {
  readonly reason: DeadReason
  /** What the database or the decoder said about it. */
  readonly detail: string
  readonly what: IngestItem | string
}

/** Keeps what can never be written, for people to look at. */
export interface DeadLetters {
  /** Appends them in one round trip and resolves once they are durable. At least once: a repeated batch repeats them. */
  append(items: readonly DeadItem[]): Promise<void>
}

/** Creates the dead-letter stream in the ingest Redis, whose acknowledged appends are on disk. */
export function createDeadLetters({ redis }: { redis: Redis }): DeadLetters {
  return {
    async append(items) {
      if (items.length === 0) return
      const pipeline = redis.pipeline()
      for (const { reason, v } of items.map(toDeadLetter))
        pipeline.xadd(redisKeys.deadLetters(), 'MAXLEN', '~', MAX_ENTRIES, '*', 'reason', reason, 'v', v)
      const results = await withDeadline('Appending dead letters', DEADLINE_MS, () => pipeline.exec())
      const failed = results?.find(([error]) => error !== null)
      if (failed?.[0]) throw failed[0]
    },
  }
}

function toDeadLetter({ reason, detail, what }: DeadItem): DeadLetter {
  return {
    reason: `${reason}: ${detail}`,
    v: typeof what === 'string' ? what.slice(0, MAX_TEXT_LENGTH) : JSON.stringify(what),
  }
}
