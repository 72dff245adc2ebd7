import { createAsyncGenerator } from './async-generator.ts'

/**
 * Filters and maps an iterator in one pass: what `map` answers comes out one at a time and in order, `undefined` is
 * left out.
 *
 * Unlike an async generator's, `return()` calls the source's `return()` at once and settles a pending `next()` as done,
 * whatever the source does. An error of the source or of `map` goes through `mapError`, rejects the `next()` that met
 * it, ends the iterator and closes the source.
 */
export function mapAsyncIterator<T, U>(
  source: AsyncIterator<T>,
  map: (value: T) => U | undefined | Promise<U | undefined>,
  mapError: (error: unknown) => unknown = error => error,
): AsyncGenerator<U, undefined> {
  const done = { done: true, value: undefined } as const
  /** One per pending `next()`; a single long-lived promise to race against would grow with every event. */
  const pending = new Set<(result: typeof done) => void>()
  let tail: Promise<unknown> = Promise.resolve()
  let isDone = false

  function close(): void {
    if (isDone) return
    isDone = true
    for (const settle of pending) settle(done)
    // The source's own failure to close has nobody left to hear it.
    void (async () => source.return?.())().catch(() => {})
  }

  async function step(): Promise<IteratorResult<U, undefined>> {
    while (!isDone) {
      const result = await source.next()
      if (result.done) break
      const value = await map(result.value)
      if (value !== undefined) return { done: false, value }
    }
    return done
  }

  return createAsyncGenerator({
    async next() {
      if (isDone) return done
      const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<U, undefined>>()
      pending.add(resolve)
      // One after the other: of two that ask at once, the one whose item was left out would come out of turn.
      tail = tail.then(step).then(
        result => {
          pending.delete(resolve)
          resolve(result)
          if (result.done) close()
        },
        error => {
          pending.delete(resolve)
          reject(mapError(error))
          close()
        },
      )
      return promise
    },
    close,
  })
}
