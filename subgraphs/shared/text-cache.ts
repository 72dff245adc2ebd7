import { LRUCache } from 'lru-cache'

/** Characters of all texts that are kept together; parsed and compiled they take hundreds of times as many bytes. */
const MAX_KEPT_TEXT = 1_048_576

/** Keeps what was made of texts that were used last. */
export interface TextCache<V> {
  get(text: string): V | undefined
  set(text: string, value: V): void
}

/**
 * Creates a cache of what is made of at most `maxEntries` texts, of 1 Mi characters together: past either bound what was not
 * used for longest makes room. A longer text is not kept.
 */
export function createTextCache<V extends object>(maxEntries: number): TextCache<V> {
  const entries = new LRUCache<string, V>({
    max: maxEntries,
    maxSize: MAX_KEPT_TEXT,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  })
  return { get: text => entries.get(text), set: (text, value) => void entries.set(text, value) }
}
