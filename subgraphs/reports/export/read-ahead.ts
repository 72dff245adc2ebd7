/** Asks the source for its next value while the last one is used: one is ready beside the one in use. */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next()
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = source.next()
      // Whoever asks for it hears of it.
      next.catch(() => {})
      yield value
    }
  } finally {
    await source.return(undefined)
  }
}
