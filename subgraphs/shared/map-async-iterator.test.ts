import { on } from 'node:events'
import { describe, expect, it } from 'vitest'
import { mapAsyncIterator } from './map-async-iterator.ts'

/** An iterator whose `next()` never settles by itself, and whose `return()` is counted. */
function createStuckSource() {
  return {
    returns: 0,
    next: () => new Promise<IteratorResult<number>>(() => {}),
    async return() {
      this.returns++
      return { done: true, value: undefined } as const
    },
  }
}

/** An iterator that is fed by hand. */
function openSource() {
  const waiting: PromiseWithResolvers<IteratorResult<number>>[] = []
  const state = { returned: 0 }
  const source: AsyncIterableIterator<number> = {
    next() {
      const next = Promise.withResolvers<IteratorResult<number>>()
      waiting.push(next)
      return next.promise
    },
    async return() {
      state.returned++
      for (const next of waiting.splice(0)) next.resolve({ done: true, value: undefined })
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
  const turn = () => new Promise(resolve => setImmediate(resolve))
  async function feed(value: number) {
    await turn()
    const next = waiting.shift()
    if (next === undefined) throw new Error('nobody asks')
    next.resolve({ done: false, value })
  }
  return { source, state, feed, waiting, turn }
}

const evenTimesTen = (n: number) => (n % 2 === 0 ? n * 10 : undefined)

describe('mapAsyncIterator', () => {
  it('maps in order and leaves out what is mapped to undefined', async () => {
    const { source, feed } = openSource()
    const mapped = mapAsyncIterator(source, evenTimesTen)
    const both = Promise.all([mapped.next(), mapped.next()])
    for (const n of [1, 2, 3, 5, 4]) await feed(n)
    expect(await both).toEqual([
      { done: false, value: 20 },
      { done: false, value: 40 },
    ])
  })

  it("calls the source's return at once while a next is pending, and that next ends", async () => {
    const { source, state, turn, waiting } = openSource()
    const mapped = mapAsyncIterator(source, evenTimesTen)
    const pending = mapped.next()
    await turn()
    expect(waiting).toHaveLength(1)
    const returned = mapped.return(undefined)
    expect(state.returned).toBe(1)
    expect(await returned).toEqual({ done: true, value: undefined })
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(await mapped.next()).toEqual({ done: true, value: undefined })
    expect(waiting).toHaveLength(0)
  })

  it("passes the source's error on", async () => {
    const abort = new AbortController()
    const source = on(process, 'map-async-iterator-test', { signal: abort.signal })
    const mapped = mapAsyncIterator(source, ([n]: number[]) => n)
    const next = mapped.next()
    next.catch(() => {})
    abort.abort(new Error('gone'))
    await expect(next).rejects.toThrow(/abort/i)
  })

  it('return reaches the source at once and settles the next that waits', async () => {
    const source = createStuckSource()
    const mapped = mapAsyncIterator(source, n => n)
    const waiting = mapped.next()
    void mapped.return(undefined)
    expect(source.returns).toBe(1)
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await mapped.next()).toEqual({ done: true, value: undefined })
    await mapped.return(undefined)
    expect(source.returns).toBe(1)
  })

  it('a source that does not settle its own return holds nobody up', async () => {
    const mapped = mapAsyncIterator(
      { ...createStuckSource(), return: () => new Promise<never>(() => {}) },
      n => n,
    )
    expect(await mapped.return(undefined)).toEqual({ done: true, value: undefined })
  })

  it('an error of the mapping goes through mapError, ends the iterator and closes the source', async () => {
    const source = { ...createStuckSource(), next: async () => ({ done: false, value: 1 }) as const }
    const mapped = mapAsyncIterator(
      source,
      () => {
        throw new Error('inner')
      },
      () => new Error('outer'),
    )
    await expect(mapped.next()).rejects.toThrow('outer')
    expect(source.returns).toBe(1)
    expect(await mapped.next()).toEqual({ done: true, value: undefined })
  })

  it('values are mapped in order until the source is done', async () => {
    async function* source() {
      yield 1
      yield 2
    }
    const seen: number[] = []
    for await (const n of mapAsyncIterator(source(), async n => n * 10)) seen.push(n)
    expect(seen).toEqual([10, 20])
  })
})
