import { describe, expect, it } from 'vitest'
import { createTextCache } from './text-cache.ts'

describe('a cache of what texts are made into', () => {
  const value = {}

  it('forgets what was not used for longest, by number', () => {
    const cache = createTextCache(2)
    for (const text of ['a', 'b']) cache.set(text, value)
    cache.get('a')
    cache.set('c', value)
    expect(['a', 'b', 'c'].map(text => cache.get(text))).toEqual([value, undefined, value])
  })

  it('forgets by the length of all texts too, whatever the number', () => {
    const cache = createTextCache(1_000)
    const texts = Array.from({ length: 100 }, (_, i) => String(i).padStart(16_384, 'x'))
    for (const text of texts) cache.set(text, value)
    const kept = texts.filter(text => cache.get(text) !== undefined)
    expect(kept).toEqual(texts.slice(-64))
    cache.set('x'.repeat(1_048_577), value)
    expect(cache.get(texts[99] as string)).toBe(value)
  })
})
