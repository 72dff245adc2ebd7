import type { LiveEventOf, TopicKind } from '../../../schema/live-event.ts'
import type { LiveDelivery } from './live-topics.ts'

/** An entry of a topic's stream, as ioredis answers it. */
export type TopicEntry = [id: string, fields: string[]]

/** Reads the events of an entry. One that does not hold a JSON array of them has none, and is told to `onMalformed`. */
export function readEntry(
  [id, fields]: TopicEntry,
  onMalformed: (error: unknown) => void,
): LiveDelivery<TopicKind>[] {
  try {
    const events: unknown = JSON.parse(fields[fields.indexOf('v') + 1] ?? '')
    if (!Array.isArray(events))
      throw new TypeError('Expected an entry of a live topic to be a JSON array, got another value.')
    return events.map((event: LiveEventOf[TopicKind], index) => ({ event, cursor: `${id}.${index}` }))
  } catch (error) {
    onMalformed(error)
    return []
  }
}
