import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import { withDeadline } from '../deadline.ts'

export interface BatchedCacheOptions<V> {
  /** What is looked up, for the message of a lookup that is late: `The lookup of roles`. */
  name: string
  /** Looks up many keys at once; a key that it leaves out has no value. */
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>
  /** Keys that are remembered; past it the least recently asked for are forgotten. */
  maxEntries: number
  /** How many of `maxEntries` a value counts for, 1 or more; a key without one counts for 1. Default 1. */
  sizeOf?: (value: V) => number
  /** How long a value is believed, in milliseconds. */
  maxAgeMs: number
  /** How long a key is believed to have no value, in milliseconds. Default 5 s, `maxAgeMs` when that is less. */
  maxAbsentAgeMs?: number
  /** Keys of one lookup at most. Default 500. */
  maxBatch?: number
  /** Deadline of a lookup in milliseconds. Default 5 s. */
  deadlineMs?: number
}

/** A cache that outlives requests. Who asks for the same key while it is looked up waits for the same lookup. */
export interface BatchedCache<V> {
  /** Value of a key; null when it has none. Keys asked for in one tick are looked up together. */
  get(key: string): Promise<V | null>
  /**
   * Forgets the keys that match, all without `matches`. Who waits for one that is being looked up, whose value is
   * undefined here, gets what is looked up after this. Asks about every key that is remembered: see `forget`.
   */
  flush(matches?: (key: string, value: V | null | undefined) => boolean): void
  /** Forgets these keys, as `flush` does. */
  forget(keys: Iterable<string>): void
}

/** Creates a cache in front of a lookup. A lookup that fails rejects for all who wait and is not remembered. */
export function createBatchedCache<V>(options: BatchedCacheOptions<V>): BatchedCache<V> {
  const { name, load, maxEntries, maxAgeMs, sizeOf, maxBatch = 500, deadlineMs = 5_000 } = options
  const maxAbsentAgeMs = options.maxAbsentAgeMs ?? Math.min(5_000, maxAgeMs)
  const known = new LRUCache<string, { value: V | null }>({
    ...(sizeOf === undefined
      ? { max: maxEntries }
      : { maxSize: maxEntries, sizeCalculation: ({ value }) => (value === null ? 1 : sizeOf(value)) }),
    ttl: maxAgeMs,
    // The package takes the clock at import; looked up at each call, a fake one holds here too.
    perf: { now: () => performance.now() },
  })
  const pending = new Map<string, Promise<V | null>>()
  const lookups = new DataLoader<string, V | null>(
    async keys => {
      const found = await withDeadline(name, deadlineMs, () => load(keys))
      return keys.map(key => found.get(key) ?? null)
    },
    { cache: false, maxBatchSize: maxBatch },
  )

  function lookUp(key: string): Promise<V | null> {
    const lookup = lookups.load(key).then(
      value => {
        // After a flush it may be older than the flush, and is asked for again.
        if (pending.get(key) !== lookup) return get(key)
        pending.delete(key)
        known.set(key, { value }, { ttl: value === null ? maxAbsentAgeMs : maxAgeMs })
        return value
      },
      error => {
        if (pending.get(key) === lookup) pending.delete(key)
        throw error
      },
    )
    pending.set(key, lookup)
    return lookup
  }

  async function get(key: string): Promise<V | null> {
    const entry = known.get(key)
    return entry === undefined ? (pending.get(key) ?? lookUp(key)) : entry.value
  }

  return {
    get,
    flush(matches = () => true) {
      for (const [key, { value }] of [...known.entries()]) if (matches(key, value)) known.delete(key)
      for (const key of [...pending.keys()]) if (matches(key, undefined)) pending.delete(key)
    },
    forget(keys) {
      for (const key of keys) {
        known.delete(key)
        pending.delete(key)
      }
    },
  }
}
