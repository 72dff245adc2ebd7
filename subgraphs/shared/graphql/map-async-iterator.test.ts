import { expect, test } from 'vitest'
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

test('return reaches the source at once and settles the next that waits', async () => {
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

test('a source that does not settle its own return holds nobody up', async () => {
  const mapped = mapAsyncIterator(
    { ...createStuckSource(), return: () => new Promise<never>(() => {}) },
    n => n,
  )
  expect(await mapped.return(undefined)).toEqual({ done: true, value: undefined })
})

test('an error of the mapping goes through mapError, ends the iterator and closes the source', async () => {
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

test('values are mapped in order until the source is done', async () => {
  async function* source() {
    yield 1
    yield 2
  }
  const seen: number[] = []
  for await (const n of mapAsyncIterator(source(), async n => n * 10)) seen.push(n)
  expect(seen).toEqual([10, 20])
})
