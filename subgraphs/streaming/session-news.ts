import { createAsyncGenerator } from '../shared/async-generator.ts'
import { AppError } from '../shared/errors.ts'
import { createMark } from '../shared/graphql/event-cursor.ts'
import { createDeliveryQueue } from '../shared/live-topic/delivery-queue.ts'
import type { MediaPort, SessionEvent } from '../shared/media-port.ts'
import type { MediaFeed } from './media-feed.ts'
import { type SignalingEvent, toSignalingEvent, toSignalingSnapshot } from './signaling-event.ts'

/** A root value of the subscription. */
interface SessionNews {
  readonly signaling: SignalingEvent
}

/** News that wait for one follower; past it the stream ends with UNAVAILABLE, and the follower comes again for a snapshot. */
const MAX_WAITING = 500

/**
 * Follows a session: the snapshot, then each event after it once and in order, until SessionEnded. After a gap in what is heard
 * of media come a mark of a gap and another snapshot, or SessionEnded (CLOSING) when there is no such session any more. Rejects with NOT_FOUND when there is no such session.
 */
export async function followSession(
  { feed, media }: { feed: MediaFeed; media: Pick<MediaPort, 'snapshotSession'> },
  sessionId: string,
  onEnd: () => void,
): Promise<AsyncGenerator<SessionNews, undefined>> {
  const queue = createDeliveryQueue<SessionNews>(() => {})
  const late: (SessionEvent | 'gap')[] = []
  let isSnapshotting = true
  let seq = 0
  let isOver = false
  let failure: AppError | undefined

  const stopListening = feed.onSession(sessionId, event => {
    if (!isSnapshotting) take(event)
    else if (late.push(event) > MAX_WAITING) fail(createOverflow())
  })

  function put(news: SessionNews): void {
    if (isOver) return
    if (queue.size < MAX_WAITING) queue.put(news)
    else fail(createOverflow())
  }

  function fail(error: AppError): void {
    if (isOver) return
    finish()
    queue.drop()
    if (!queue.reject(error)) failure = error
  }

  /** Nothing more comes; what waits is still taken. */
  function finish(): void {
    if (isOver) return
    isOver = true
    stopListening()
    onEnd()
  }

  function take(event: SessionEvent | 'gap'): void {
    if (event === 'gap') {
      put(createMark(undefined, true))
      void snapshot().catch(error => (isMissing(error) ? endUnseen() : fail(toUnavailable(error))))
      return
    }
    if (event.seq <= seq) return
    seq = event.seq
    put({ signaling: toSignalingEvent(event) })
    if (event.type === 'SessionEnded') {
      finish()
      queue.finish()
    }
  }

  /** The session has ended in the gap: media has restarted, and knows nothing more of it. */
  function endUnseen(): void {
    put({ signaling: { __typename: 'SessionEnded', sequence: seq + 1, reason: 'CLOSING' } })
    finish()
    queue.finish()
  }

  async function snapshot(): Promise<void> {
    isSnapshotting = true
    const state = await media.snapshotSession({ sessionId })
    isSnapshotting = false
    seq = state.seq
    put({ signaling: toSignalingSnapshot(state) })
    for (const event of late.splice(0)) take(event)
  }

  try {
    await snapshot()
  } catch (error) {
    finish()
    throw error
  }

  return createAsyncGenerator<SessionNews>({
    async next() {
      const waiting = queue.take()
      if (waiting !== undefined) return { done: false, value: waiting }
      if (failure !== undefined) {
        const error = failure
        failure = undefined
        throw error
      }
      return isOver ? { done: true, value: undefined } : queue.wait()
    },
    close() {
      finish()
      queue.drop()
      queue.finish()
    },
  })
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'NOT_FOUND'
}

function createOverflow(): AppError {
  return new AppError('UNAVAILABLE', 'Too much waits to be read. Subscribe again.')
}

function toUnavailable(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('UNAVAILABLE', 'The session cannot be followed now.', { cause: error })
}
