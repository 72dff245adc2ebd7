import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Closable } from '../lifecycle.ts'
import { openRedis } from '../redis/open-redis.ts'
import type { TopicEntry } from './topic-entry.ts'
import type { TopicPlace } from './topic-history.ts'

/** Entries per topic and read; small, so that consumers run between reads and their buffers hold a whole one. */
export const ENTRIES_PER_READ = 5

/** How long one XREAD waits. */
const BLOCK_MS = 5_000

/** A blocked XREAD that is this late has lost its connection without a word, which is then dialled again. */
const BLOCK_GRACE_MS = 2_000

/** Pause between attempts to wake the blocked connection. */
const WAKE_RETRY_MS = 2

/** Waits for the next entries of many topics at once. */
export interface BlockingRead extends Closable {
  /**
   * Reads up to ENTRIES_PER_READ entries after each place, by key; with `mayBlock` it waits up to 5 s until there is one.
   * Rejects when the connection breaks. One at a time.
   */
  read(places: readonly TopicPlace[], mayBlock: boolean): Promise<ReadonlyMap<string, readonly TopicEntry[]>>
  /** Makes a read that waits answer with what there is, so that the next one can ask for other topics. */
  interrupt(): Promise<void>
}

/**
 * Opens the connection for blocking reads. `redis` is one to the same Redis for short commands and stays the caller's.
 * `onLost` is told whenever the connection breaks: Redis may come back without some of its data.
 */
export function openBlockingRead({
  url,
  redis,
  onLost,
}: {
  url: string
  redis: Redis
  onLost: () => void
}): BlockingRead {
  const blocking = openRedis({
    url,
    name: 'live-reader',
    maxBlockMs: BLOCK_MS,
    commandTimeoutMs: BLOCK_GRACE_MS,
  })
  let clientId: string | undefined
  let reading: object | undefined
  let isClosed = false
  blocking.redis.on('close', () => {
    clientId = undefined
    onLost()
  })

  return {
    async read(places, mayBlock) {
      const block = mayBlock ? ['BLOCK', BLOCK_MS] : []
      const streams = [...places.map(({ key }) => key), ...places.map(({ id }) => id)]
      const args = ['COUNT', ENTRIES_PER_READ, ...block, 'STREAMS', ...streams]
      // From here on it can be interrupted: what is asked for is decided.
      reading = {}
      try {
        clientId ??= String(await blocking.redis.client('ID'))
        const reply = (await blocking.redis.call('XREAD', ...args)) as (string | TopicEntry[])[] | null
        const byKey = new Map<string, TopicEntry[]>()
        for (let i = 0; reply !== null && i < reply.length; i += 2)
          byKey.set(reply[i] as string, reply[i + 1] as TopicEntry[])
        return byKey
      } finally {
        reading = undefined
      }
    },

    async interrupt() {
      const stale = reading
      while (stale !== undefined && reading === stale && !isClosed) {
        // The read may have been sent and not yet be blocked: then nothing is unblocked, and it is asked again.
        if (clientId !== undefined) {
          const woken = await redis.call('CLIENT', 'UNBLOCK', clientId).catch(() => 0)
          if (Number(woken) === 1) return
        }
        await sleep(WAKE_RETRY_MS)
      }
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      await blocking[Symbol.asyncDispose]()
    },
  }
}
