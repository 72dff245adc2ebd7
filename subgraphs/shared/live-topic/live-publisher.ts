import type { Redis } from 'ioredis'
import { type LiveEventOf, SITE_SCOPE, type TopicKind } from '../../../schema/live-event.ts'
import { LIVE_TOPIC_MAX_ENTRIES, redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { LivePublisher } from './live-topics.ts'

/** Events that one entry of a topic holds at most; the index of a cursor is below this. */
export const MAX_EVENTS_PER_ENTRY = 100

/** Characters of JSON after which an entry is closed, so that a topic's memory has a bound that does not depend on devices. */
const MAX_ENTRY_CHARS = 64 * 1024

export interface LivePublisherOptions {
  /** Connection to the live Redis; stays the caller's. */
  redis: Redis
  /** How long one call may take. Default 5 s. */
  deadlineMs?: number
}

/**
 * Creates a publisher of live topics.
 *
 * A call is one pipeline, one XADD per 100 events (or 64 KiB) of a topic. When it rejects (UNAVAILABLE), any part of
 * it may have been appended: publishing all again gives each event at least once, in order.
 */
export function createLivePublisher({ redis, deadlineMs = 5_000 }: LivePublisherOptions): LivePublisher {
  return {
    async publish(kind, events) {
      if (events.length === 0) return
      const pipeline = redis.pipeline()
      for (const [scope, ofScope] of Map.groupBy(events, scopeOf)) {
        const topic = redisKeys.liveTopic(kind, scope)
        for (const entry of entriesOf(ofScope))
          pipeline.xadd(topic, 'MAXLEN', '~', LIVE_TOPIC_MAX_ENTRIES, '*', 'v', entry)
      }
      try {
        const results = await withDeadline('Publishing to live topics', deadlineMs, () => pipeline.exec())
        const failed = results?.find(([error]) => error !== null)
        if (failed?.[0]) throw failed[0]
      } catch (cause) {
        throw new AppError('UNAVAILABLE', 'Live updates cannot be published now.', { cause })
      }
    },
  }
}

/** Only revocations have kinds of their own, and all of them are the site's. */
function scopeOf(event: LiveEventOf[TopicKind]): string {
  return 'kind' in event ? SITE_SCOPE : event.spaceId
}

function* entriesOf(events: readonly object[]): Generator<string> {
  let entry: string[] = []
  let bytes = 0
  for (const event of events) {
    const json = JSON.stringify(event)
    if (
      entry.length === MAX_EVENTS_PER_ENTRY ||
      (entry.length > 0 && bytes + json.length > MAX_ENTRY_CHARS)
    ) {
      yield `[${entry.join(',')}]`
      entry = []
      bytes = 0
    }
    entry.push(json)
    bytes += json.length
  }
  yield `[${entry.join(',')}]`
}
