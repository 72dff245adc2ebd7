import { setTimeout as sleep } from 'node:timers/promises'

/** Items that waiting must be likely to bring; below it waiting only costs time. */
const MIN_GAIN_ITEMS = 4

/** Part that the newest observation has in the averages. */
const WEIGHT = 0.2

/** Entries per shard and read: bounds what one read brings into memory. */
const MAX_ENTRIES_PER_SHARD = 32

/** Says when to read and how much. */
export interface Pace {
  /** Waits until a read is worth it: not at all when little comes, up to `lingerMs` after the last one when much does. */
  wait(signal: AbortSignal): Promise<void>
  /** Entries to ask of each of `shardCount` shards, for about `maxRows` items in all. */
  entriesPerShard(shardCount: number): number
  /** Tells what a read has brought. */
  noteRead(entryCount: number, itemCount: number): void
}

/**
 * Creates the pace of the reading loop. An item that comes alone is written at once; under load a batch gathers for
 * `lingerMs`, which halves the CPU per item. A read that was full is followed by the next without a pause.
 */
export function createPace({ maxRows, lingerMs }: { maxRows: number; lingerMs: number }): Pace {
  let itemsPerEntry = 100
  let itemsPerMs = 0
  let waitedUntil = performance.now()
  let notedAt = waitedUntil
  let wasFull = false

  return {
    async wait(signal) {
      const restMs = waitedUntil + lingerMs - performance.now()
      if (!wasFull && restMs >= 1 && itemsPerMs * lingerMs >= MIN_GAIN_ITEMS)
        await sleep(restMs, undefined, { signal }).catch(() => {})
      waitedUntil = performance.now()
    },
    entriesPerShard(shardCount) {
      const wanted = Math.ceil(maxRows / itemsPerEntry / shardCount)
      return Math.max(1, Math.min(MAX_ENTRIES_PER_SHARD, wanted))
    },
    noteRead(entryCount, itemCount) {
      const now = performance.now()
      const rate = itemCount / Math.max(1, now - notedAt)
      notedAt = now
      itemsPerMs += WEIGHT * (rate - itemsPerMs)
      if (entryCount > 0) itemsPerEntry += WEIGHT * (Math.max(1, itemCount / entryCount) - itemsPerEntry)
      wasFull = itemCount >= maxRows
    },
  }
}
