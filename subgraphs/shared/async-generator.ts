/**
 * Creates an async generator of what it does next and how it is closed; `close` may be called more than once. Unlike one
 * that is written with `yield`, it can be closed while its `next()` is pending.
 */
export function createAsyncGenerator<T>({
  next,
  close,
}: {
  next: () => Promise<IteratorResult<T, undefined>>
  close: () => void
}): AsyncGenerator<T, undefined> {
  return {
    next,
    async return() {
      close()
      return { done: true, value: undefined }
    },
    async throw(error) {
      close()
      throw error
    },
    async [Symbol.asyncDispose]() {
      close()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
