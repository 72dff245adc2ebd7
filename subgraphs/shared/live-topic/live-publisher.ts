import type { ChainableCommander, Redis } from 'ioredis'
import { type LiveEventOf, SITE_SCOPE, type TopicKind } from '../../../schema/live-event.ts'
import { LIVE_TOPIC_MAX_ENTRIES, redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { LivePublisher } from './live-topics.ts'

/** Events that one entry of a topic holds at most; the index of a cursor is below this. */
export const MAX_EVENTS_PER_ENTRY = 100

/** Characters of JSON after which an entry is closed, so that a topic's memory has a bound that does not depend on devices. */
const MAX_ENTRY_CHARS = 64 * 1024

/** Entries at a topic's end among which a repeated event is recognised; more than a publisher can have under way. */
const REMEMBERED_ENTRIES = 250

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
 * it may have been appended: publishing all again with `isRepeat` appends what is missing, in order.
 */
export function createLivePublisher({ redis, deadlineMs = 5_000 }: LivePublisherOptions): LivePublisher {
  async function run(pipeline: ChainableCommander): Promise<unknown[]> {
    const results = await withDeadline('Publishing to live topics', deadlineMs, () => pipeline.exec())
    return (results ?? []).map(([error, result]) => {
      if (error) throw error
      return result
    })
  }

  /** Answers what the newest entries of the topics hold, a set of identities for each topic. */
  async function readPublished(topics: readonly string[]): Promise<Set<string>[]> {
    const pipeline = redis.pipeline()
    for (const topic of topics) pipeline.xrevrange(topic, '+', '-', 'COUNT', REMEMBERED_ENTRIES)
    const found = (await run(pipeline)) as [id: string, fields: string[]][][]
    return found.map(entries => new Set(entries.flatMap(([, fields]) => parseEvents(fields).map(identify))))
  }

  return {
    async publish(kind, events, { isRepeat = false } = {}) {
      if (events.length === 0) return
      const byTopic = [...Map.groupBy(events, event => redisKeys.liveTopic(kind, scopeOf(event)))]
      try {
        const published = isRepeat ? await readPublished(byTopic.map(([topic]) => topic)) : []
        const pipeline = redis.pipeline()
        for (const [index, [topic, ofTopic]] of byTopic.entries()) {
          const missing = ofTopic.filter(event => !published[index]?.has(identify(event)))
          for (const entry of entriesOf(missing))
            pipeline.xadd(topic, 'MAXLEN', '~', LIVE_TOPIC_MAX_ENTRIES, '*', 'v', entry)
        }
        if (pipeline.length > 0) await run(pipeline)
      } catch (cause) {
        throw new AppError('UNAVAILABLE', 'Live updates cannot be published now.', { cause })
      }
    },
  }
}

/** What makes an event the same event again. */
function identify(event: LiveEventOf[TopicKind]): string {
  if ('anomaly' in event)
    return `${event.anomaly.id} ${event.change === 'RAISED' ? 0 : event.anomaly.version}`
  if ('id' in event) return event.id
  return 'at' in event ? `${event.deviceId} ${event.at}` : JSON.stringify(event)
}

function parseEvents(fields: readonly string[]): LiveEventOf[TopicKind][] {
  try {
    const events: unknown = JSON.parse(fields[fields.indexOf('v') + 1] ?? '')
    return Array.isArray(events) ? events : []
  } catch {
    return []
  }
}

/** Only revocations and changes of the topology have kinds of their own, and all of them are the site's. */
function scopeOf(event: LiveEventOf[TopicKind]): string {
  if ('anomaly' in event) return event.anomaly.spaceId
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
  if (entry.length > 0) yield `[${entry.join(',')}]`
}
