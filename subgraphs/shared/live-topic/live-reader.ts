import type { Redis } from 'ioredis'
import type { TopicKind } from '../../../schema/live-event.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { AppError } from '../errors.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import { endOfEntry, parseCursor } from './live-cursor.ts'
import { createLiveSubscription, type LiveSubscription } from './live-subscription.ts'
import type { LiveDelivery, LiveMark, LiveReader, StreamStart } from './live-topics.ts'
import { startTopicFeed } from './topic-feed.ts'
import { createTopicHistory } from './topic-history.ts'

export interface LiveReaderOptions {
  /** The live Redis; the reader opens a blocking connection of its own to it. */
  url: string
  /** Connection to the same Redis for short commands; stays the caller's. */
  redis: Redis
  logger: Logger
  /** Events that wait for a slow subscriber before it is left to read them later. Default 1,000. */
  maxBufferedEvents?: number
  /** How long reading what was missed may take, with what is tried again of it. Default 5 s. */
  deadlineMs?: number
}

/** A reader that was started. Dispose rejects all that wait with UNAVAILABLE. */
export interface StartedLiveReader extends LiveReader, Closable {
  /** Followers now. */
  readonly subscriptionCount: number
  /** Topics in the blocking read now. */
  readonly topicCount: number
}

/**
 * Starts the reader of live topics of a process: one blocking read for all that follow live, and short reads for those
 * that have missed something.
 */
export function startLiveReader(options: LiveReaderOptions): StartedLiveReader {
  const { url, redis, logger, maxBufferedEvents = 1_000, deadlineMs = 5_000 } = options
  const closing = new AbortController()
  const history = createTopicHistory({ redis, deadlineMs, signal: closing.signal })
  const feed = startTopicFeed({ url, redis, history, logger })
  const subscriptions = new Set<LiveSubscription>()

  const closed = () => new AppError('UNAVAILABLE', 'This server is closing. Subscribe again.')

  async function findBegin(key: string, after: string | undefined): Promise<LiveMark> {
    if (after !== undefined) {
      const { id } = parseCursor(after)
      const [isCovered] = await history.areCovered([{ key, id }])
      if (isCovered) return { event: null, cursor: after, isGap: false }
      logger.warn({ key, after }, 'live_reader.gap')
    }
    return { event: null, cursor: endOfEntry(await history.readTail(key)), isGap: after !== undefined }
  }

  return {
    async subscribe<K extends TopicKind>(
      kind: K,
      scope: string,
      { after, isReplay = false }: StreamStart = {},
    ) {
      const key = redisKeys.liveTopic(kind, scope)
      const begin = await findBegin(key, after)
      const end = isReplay ? await history.readTail(key) : undefined
      if (closing.signal.aborted) throw closed()
      const subscription = createLiveSubscription({
        key,
        begin,
        isAtTail: after === undefined,
        end,
        history,
        feed,
        maxBuffered: maxBufferedEvents,
        logger,
        onEnd: () => subscriptions.delete(subscription),
      })
      subscriptions.add(subscription)
      // A topic carries events of its kind only: the key names it.
      return subscription.iterator as AsyncIterableIterator<LiveDelivery<K>>
    },
    get subscriptionCount() {
      return subscriptions.size
    },
    get topicCount() {
      return feed.size
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      for (const subscription of [...subscriptions]) subscription.fail(closed())
      await feed[Symbol.asyncDispose]()
    },
  }
}
