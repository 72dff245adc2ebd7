/** Keeps the values that were used last. */
export interface BoundedCache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  readonly size: number
}

/** Creates a cache of at most `maxEntries`; past it the entry that was not used for longest makes room. */
export function createBoundedCache<K, V>(maxEntries: number): BoundedCache<K, V> {
  const entries = new Map<K, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= maxEntries) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        break
      }
    },
    get size() {
      return entries.size
    },
  }
}
