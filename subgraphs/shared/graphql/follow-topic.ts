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
 * mark, so that who resumes does not walk over them again. Rejects and ends as LiveReader.subscribe says.
 */
export async function followTopic<K extends TopicKind, R extends object>(
  liveReader: Pick<LiveReader, 'subscribe'>,
  kind: K,
  scope: string,
  start: StreamStart | undefined,
  toRootValue: (event: LiveEventOf[K]) => R | undefined,
): Promise<AsyncGenerator<R, undefined>> {
  const deliveries = await liveReader.subscribe(kind, scope, start)
  let silent = 0
  const rootValues = mapAsyncIterator(deliveries, delivery => {
    const { cursor } = delivery
    if ('isGap' in delivery) {
      silent = 0
      return createMark<R>(cursor, delivery.isGap)
    }
    const rootValue = toRootValue(delivery.event)
    if (rootValue === undefined && ++silent < MAX_SILENT_EVENTS) return undefined
    silent = 0
    return rootValue === undefined ? createMark<R>(cursor, false) : withCursor(rootValue, cursor)
  })
  return openingWithMark(rootValues)
}
