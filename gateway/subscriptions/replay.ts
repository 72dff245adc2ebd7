import { setTimeout as sleep } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import { compareCursors } from '../../subgraphs/shared/live-topic/live-cursor.ts'
import type { StreamStart } from '../../subgraphs/shared/live-topic/live-topics.ts'
import { createGapPayload, type EventPayload } from './event-payload.ts'
import { isUnavailable, readOutage, type UpstreamLimits } from './group-upstream.ts'
import type { Subscriber } from './subscriber.ts'

/** Sends a subscriber what it has missed of a topic. */
export interface Replay {
  /** Up to where it has been sent everything. */
  readonly position: string
  /**
   * Sends everything between the position and the topic's end as it is now, in order, no faster than the subscriber's
   * transport takes it; stops early when `isWanted` says no. Where events are not kept any more it sends a gap and goes
   * on after it. Rejects when the stream is refused, or cannot be opened within its deadline.
   */
  run(isWanted: () => boolean): Promise<void>
  /** Sends a payload unless it lies before the position. */
  skipOrSend(payload: EventPayload): void
}

/** Pause before a stream that was lost is opened again. */
const PAUSE_MS = 200

/** Creates a replay of what came after a cursor. */
export function createReplay({
  after,
  open,
  run,
  subscriber,
  limits: { reopenDeadlineMs },
}: {
  after: string
  open: (start: StreamStart) => Promise<AsyncGenerator<SubgraphResult, undefined>>
  run: (event: SubgraphResult) => Promise<EventPayload>
  subscriber: Subscriber
  limits: UpstreamLimits
}): Replay {
  let position = after
  let lostAt: number | undefined

  function send(payload: EventPayload): void {
    position = payload.cursor ?? position
    subscriber.next(payload)
  }

  async function readOnce(isWanted: () => boolean): Promise<void> {
    const stream = await open({ after: position })
    try {
      while (isWanted()) {
        const { done, value } = await stream.next()
        if (done) return
        const outage = readOutage(value)
        if (outage !== undefined) throw outage
        const { cursor, isMark, isGap } = value.extensions ?? {}
        lostAt = undefined
        if (!isMark) {
          if (value.data === undefined) throw toRefusal(value)
          const payload = await run(value)
          await subscriber.whenWritable()
          if (isWanted()) send(payload)
        } else if (isGap) send(createGapPayload(cursor))
        else position = cursor ?? position
      }
    } finally {
      await stream.return(undefined)
    }
  }

  return {
    get position() {
      return position
    },
    async run(isWanted) {
      while (isWanted()) {
        try {
          return await readOnce(isWanted)
        } catch (error) {
          lostAt ??= performance.now()
          if (!isUnavailable(error) || performance.now() - lostAt >= reopenDeadlineMs) throw error
          await sleep(PAUSE_MS)
        }
      }
    },
    skipOrSend(payload) {
      if (payload.cursor === undefined || compareCursors(payload.cursor, position) > 0) send(payload)
    },
  }
}

function toRefusal({ errors = [] }: SubgraphResult): GraphQLError {
  const [
    first = { message: 'The subscription was refused.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
  ] = errors
  return new GraphQLError(first.message, { extensions: first.extensions })
}
