import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBatchedCache } from './batched-cache.ts'

afterEach(() => {
  vi.useRealTimers()
})

function createCounted(options: { maxEntries?: number; maxAgeMs?: number } = {}) {
  const lookups: string[][] = []
  const values = new Map([
    ['a', 1],
    ['b', 2],
  ])
  const cache = createBatchedCache<number>({
    name: 'The lookup',
    maxEntries: 100,
    maxAgeMs: 30_000,
    ...options,
    async load(keys) {
      lookups.push([...keys])
      return new Map(values)
    },
  })
  return { cache, lookups, values }
}

describe('a batched cache', () => {
  it('looks up together what is asked in one tick, each key once, and remembers', async () => {
    const { cache, lookups } = createCounted()
    expect(await Promise.all(['a', 'b', 'a', 'none'].map(cache.get))).toEqual([1, 2, 1, null])
    expect(await Promise.all(['a', 'b', 'none'].map(cache.get))).toEqual([1, 2, null])
    expect(lookups).toEqual([['a', 'b', 'none']])
  })

  it('forgets after its age, an absence sooner', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    // The fake clock begins at 0, which the cache takes for no time at all.
    vi.advanceTimersByTime(1)
    const { cache, lookups } = createCounted()
    await Promise.all(['a', 'none'].map(cache.get))
    vi.advanceTimersByTime(5_001)
    await Promise.all(['a', 'none'].map(cache.get))
    vi.advanceTimersByTime(30_000)
    await cache.get('a')
    expect(lookups).toEqual([['a', 'none'], ['none'], ['a']])
  })

  it('keeps no more than its entries', async () => {
    const { cache, lookups } = createCounted({ maxEntries: 1 })
    await cache.get('a')
    await cache.get('b')
    await cache.get('a')
    expect(lookups).toEqual([['a'], ['b'], ['a']])
  })

  it('forgets on demand, also what is on its way', async () => {
    const { cache, lookups, values } = createCounted()
    const early = cache.get('a')
    cache.flush(key => key === 'a')
    values.set('a', 10)
    expect(await Promise.all([early, cache.get('a')])).toEqual([10, 10])
    cache.flush()
    values.delete('a')
    expect(await cache.get('a')).toBeNull()
    expect(lookups).toEqual([['a', 'a'], ['a']])
  })

  it('answers who waits with what is true after a flush, and keeps that', async () => {
    const lookups: PromiseWithResolvers<number>[] = []
    const cache = createBatchedCache<number>({
      name: 'The lookup',
      maxEntries: 10,
      maxAgeMs: 1_000,
      async load([key = '']) {
        const lookup = Promise.withResolvers<number>()
        lookups.push(lookup)
        return new Map([[key, await lookup.promise]])
      },
    })
    const early = cache.get('a')
    await vi.waitFor(() => expect(lookups).toHaveLength(1))
    cache.flush()
    lookups[0]?.resolve(1)
    await vi.waitFor(() => expect(lookups).toHaveLength(2))
    lookups[1]?.resolve(2)
    expect([await early, await cache.get('a')]).toEqual([2, 2])
    expect(lookups).toHaveLength(2)
  })

  it('rejects for all who wait when the lookup fails, and asks again', async () => {
    let isDown = true
    const cache = createBatchedCache<number>({
      name: 'The lookup',
      maxEntries: 10,
      maxAgeMs: 1_000,
      load: async () => {
        if (isDown) throw new Error('down')
        return new Map([['a', 1]])
      },
    })
    const answers = await Promise.allSettled([cache.get('a'), cache.get('a')])
    expect(answers.map(answer => answer.status)).toEqual(['rejected', 'rejected'])
    isDown = false
    expect(await cache.get('a')).toBe(1)
  })

  it('does not wait for ever', async () => {
    const cache = createBatchedCache<number>({
      name: 'The lookup',
      maxEntries: 10,
      maxAgeMs: 1_000,
      deadlineMs: 10,
      load: () => new Promise(() => {}),
    })
    await expect(cache.get('a')).rejects.toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
  })
})
