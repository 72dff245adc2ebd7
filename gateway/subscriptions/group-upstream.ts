import { setTimeout as sleep } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { StreamStart } from '../../subgraphs/shared/live-topic/live-topics.ts'

/** How a stream of events is kept open. */
export interface UpstreamLimits {
  /** How long a stream that was lost, or cannot be opened, is tried to be opened before it counts as gone for good. */
  readonly reopenDeadlineMs: number
}

/** A stream of a subgraph's results that outlives the loss of its subgraph. */
export interface GroupUpstream {
  /** Lets go at once. Nothing is called after it. */
  close(): void
}

/** First pause before a stream is opened again; doubled with each further attempt, with jitter. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 2_000

/**
 * Opens a stream and passes on its results, one at a time: a result waits until `onResult` has settled for the one
 * before. When it is lost (UNAVAILABLE) it is opened again after `readPosition()`, and again, until it has not been
 * opened for `reopenDeadlineMs`. `onEnd` is called once, when it has ended by itself or is gone for good.
 */
export function openGroupUpstream({
  open,
  readPosition,
  onResult,
  onLost,
  onEnd,
  limits: { reopenDeadlineMs },
}: {
  open: (start: StreamStart) => Promise<AsyncGenerator<SubgraphResult, undefined>>
  readPosition: () => string | undefined
  onResult: (result: SubgraphResult) => void | Promise<void>
  onLost: (error: unknown) => void
  onEnd: (error?: unknown) => void
  limits: UpstreamLimits
}): GroupUpstream {
  const closing = new AbortController()
  let current: AsyncGenerator<SubgraphResult, undefined> | undefined
  let lostAt: number | undefined
  let pauseMs = FIRST_PAUSE_MS

  async function follow(): Promise<void> {
    const stream = await open({ after: readPosition() })
    current = stream
    if (closing.signal.aborted) return close()
    for (;;) {
      const { done, value } = await stream.next()
      if (done || closing.signal.aborted) return
      const refusal = readOutage(value)
      if (refusal !== undefined) throw refusal
      lostAt = undefined
      pauseMs = FIRST_PAUSE_MS
      await onResult(value)
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await follow()
        if (!closing.signal.aborted) onEnd()
        return
      } catch (error) {
        if (closing.signal.aborted) return
        lostAt ??= performance.now()
        if (!isUnavailable(error) || performance.now() - lostAt >= reopenDeadlineMs) return onEnd(error)
        onLost(error)
        await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(
          () => {},
        )
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
      }
    }
  }

  function close(): void {
    closing.abort()
    void current?.return(undefined).catch(() => {})
  }

  void run()
  return { close }
}

/** A stream that cannot be opened now yields UNAVAILABLE as its only result: that is an outage, not a refusal. */
export function readOutage({ data, errors, extensions }: SubgraphResult): GraphQLError | undefined {
  if (data !== undefined || extensions?.isMark || errors === undefined || errors.length === 0)
    return undefined
  const [first] = errors
  if (first === undefined || !errors.every(error => error.extensions?.code === 'UNAVAILABLE'))
    return undefined
  return new GraphQLError(first.message, { extensions: first.extensions })
}

/** Whether trying again may help. */
export function isUnavailable(thrown: unknown): boolean {
  if (thrown instanceof GraphQLError) return thrown.extensions.code === 'UNAVAILABLE'
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'UNAVAILABLE'
}
