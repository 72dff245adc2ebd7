import { GraphQLError } from 'graphql'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'

/** A bounded queue between one who pushes results and one who iterates over them. */
export interface ResultQueue extends AsyncIterator<SubgraphResult, undefined> {
  push(result: SubgraphResult): void
  /** Ends the iterator after what is queued. */
  end(): void
  /** Makes `next()` reject after what is queued. */
  fail(error: GraphQLError): void
  return(): Promise<IteratorReturnResult<undefined>>
}

/**
 * Creates a queue of at most `maxResults`; one more fails it with UNAVAILABLE, since an event must not be lost silently.
 * `onClosed` is called once when it has ended, failed, overflowed or been returned.
 */
export function createResultQueue(maxResults: number, onClosed: () => void): ResultQueue {
  const results: SubgraphResult[] = []
  let waiting: PromiseWithResolvers<IteratorResult<SubgraphResult, undefined>> | undefined
  let ending: { error?: GraphQLError } | undefined

  function close(error?: GraphQLError): void {
    if (ending !== undefined) return
    ending = { error }
    if (error === undefined) waiting?.resolve({ done: true, value: undefined })
    else if (waiting !== undefined) waiting.reject(takeError())
    waiting = undefined
    onClosed()
  }

  function takeError(): GraphQLError | undefined {
    const error = ending?.error
    ending = {}
    return error
  }

  return {
    push(result) {
      if (ending !== undefined) return
      if (waiting !== undefined) {
        waiting.resolve({ done: false, value: result })
        waiting = undefined
      } else if (results.length < maxResults) {
        results.push(result)
      } else {
        close(
          new GraphQLError('Events came faster than they were taken.', {
            extensions: { code: 'UNAVAILABLE' },
          }),
        )
      }
    },
    end: () => close(),
    fail: close,
    async next() {
      const result = results.shift()
      if (result !== undefined) return { done: false, value: result }
      const error = takeErrorIfAny()
      if (error !== undefined) throw error
      if (ending !== undefined) return { done: true, value: undefined }
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    async return() {
      results.length = 0
      close()
      return { done: true, value: undefined }
    },
  }

  function takeErrorIfAny(): GraphQLError | undefined {
    return ending?.error === undefined ? undefined : takeError()
  }
}
