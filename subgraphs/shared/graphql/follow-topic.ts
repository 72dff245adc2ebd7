import type { LiveEventOf, TopicKind } from '../../../schema/live-event.ts'
import type { LiveReader, StreamStart } from '../live-topic/live-topics.ts'
import { mapAsyncIterator } from '../map-async-iterator.ts'
import { createMark, openingWithMark, withCursor } from './event-cursor.ts'

/** Events left out in a row after which a follower is told where it stands. */
const MAX_SILENT_EVENTS = 100

/**
 * Follows a live topic as a subscription's resolver: yields root values that carry their cursors, and marks.
 *
 * `toRootValue` answers undefined for an event that the subscription leaves out. After 100 of those in a row comes a
 * mark, so that who resumes does not walk over them again. It may take its time: events wait for their turn. `onGap` is
 * called when events may have been missed, before those that follow. Rejects and ends as LiveReader.subscribe says, and after
 * `start.maxEvents` root values.
 */
export async function followTopic<K extends TopicKind, R extends object>(
  liveReader: Pick<LiveReader, 'subscribe'>,
  kind: K,
  scope: string,
  start: StreamStart | undefined,
  toRootValue: (event: LiveEventOf[K]) => R | undefined | Promise<R | undefined>,
  onGap?: () => void,
): Promise<AsyncGenerator<R, undefined>> {
  const deliveries = await liveReader.subscribe(kind, scope, start)
  let silent = 0
  let left = start?.maxEvents ?? Number.POSITIVE_INFINITY

  function place(rootValue: R | undefined, cursor: string): R | undefined {
    if (rootValue === undefined && ++silent < MAX_SILENT_EVENTS) return undefined
    silent = 0
    if (rootValue === undefined) return createMark<R>(cursor, false)
    left--
    return withCursor(rootValue, cursor)
  }

  const rootValues = mapAsyncIterator(deliveries, delivery => {
    const { cursor } = delivery
    if ('isGap' in delivery) {
      silent = 0
      if (delivery.isGap) onGap?.()
      return createMark<R>(cursor, delivery.isGap)
    }
    const rootValue = toRootValue(delivery.event)
    return rootValue instanceof Promise
      ? rootValue.then(value => place(value, cursor))
      : place(rootValue, cursor)
  })
  return openingWithMark(endingWhen(() => left <= 0, rootValues))
}

/** Ends an iterator at the first `next()` for which `isOver` says so, or when it ends itself. */
function endingWhen<R>(
  isOver: () => boolean,
  rootValues: AsyncGenerator<R, undefined>,
): AsyncGenerator<R, undefined> {
  const { next } = rootValues
  return Object.assign(rootValues, { next: () => (isOver() ? rootValues.return(undefined) : next()) })
}
