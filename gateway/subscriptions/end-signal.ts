import type { GraphQLError } from 'graphql'
import { createAsyncGenerator } from '../../subgraphs/shared/async-generator.ts'

/**
 * Creates a generator that yields nothing and ends when `end` is called, with its error if it has one. `start` is called
 * at once and returns what lets go, which is called once: when the generator ends or is returned.
 */
export function createEndSignal(
  start: (end: (error?: GraphQLError) => void) => () => void,
): AsyncGenerator<never, undefined> {
  const done = { done: true, value: undefined } as const
  const ended = Promise.withResolvers<typeof done>()
  // Nobody may be waiting yet.
  ended.promise.catch(() => {})
  let isOver = false
  let release: (() => void) | undefined

  function finish(): boolean {
    if (isOver) return false
    isOver = true
    release?.()
    return true
  }

  release = start(error => {
    if (!finish()) return
    if (error === undefined) ended.resolve(done)
    else ended.reject(error)
  })
  if (isOver) release()

  return createAsyncGenerator<never>({
    next: () => ended.promise,
    close() {
      if (finish()) ended.resolve(done)
    },
  })
}
