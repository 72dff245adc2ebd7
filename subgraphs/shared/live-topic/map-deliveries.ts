/**
 * Filters and maps an iterator in one pass: what `map` answers comes out in order, `undefined` is left out.
 *
 * `return()` calls the source's at once, even while a `next()` waits for it (an async generator's would wait behind
 * it), and the waiting `next()` ends. An error of the source or of `map` rejects the `next()` that met it; after an
 * error of `map` the source is closed too.
 */
export function mapDeliveries<Source, Target>(
  source: AsyncIterableIterator<Source>,
  map: (item: Source) => Target | undefined,
): AsyncIterableIterator<Target> {
  const done = { done: true, value: undefined } as const
  let isClosed = false
  let tail: Promise<unknown> = Promise.resolve()

  function close(): void {
    isClosed = true
    // How the source closes is its own matter: whoever waited for it has gone.
    source.return?.().catch(() => {})
  }

  async function step(): Promise<IteratorResult<Target>> {
    while (!isClosed) {
      const result = await source.next()
      if (isClosed || result.done) break
      let value: Target | undefined
      try {
        value = map(result.value)
      } catch (error) {
        close()
        throw error
      }
      if (value !== undefined) return { done: false, value }
    }
    isClosed = true
    return done
  }

  return {
    next() {
      // One after the other: of two that ask at once, the one whose item was left out would come out of turn.
      const result = tail.then(step)
      tail = result.catch(() => {})
      return result
    },
    async return() {
      close()
      return done
    },
    async throw(error) {
      close()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
