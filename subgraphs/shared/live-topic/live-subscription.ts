import { setTimeout as sleep } from 'node:timers/promises'
import type { TopicKind } from '../../../schema/live-event.ts'
import { type AppError, toAppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { endOfEntry, parseCursor } from './live-cursor.ts'
import type { LiveDelivery, LiveMark } from './live-topics.ts'
import { compareStreamIds } from './stream-id.ts'
import { readEntry, type TopicEntry } from './topic-entry.ts'
import type { TopicFeed } from './topic-feed.ts'
import type { TopicHistory } from './topic-history.ts'

/** Entries that are read at a time of what was missed: what one that catches up holds in memory. */
const ENTRIES_PER_PULL = 4

/** Pause when the feed has come further than Redis itself, which it finds out by itself soon. */
const AHEAD_PAUSE_MS = 10

/** One follower of a topic. */
export interface LiveSubscription {
  /** Drops what waits; the pending and the next `next()` reject with the error, then it is done. */
  fail(error: AppError): void
  readonly iterator: AsyncIterableIterator<LiveDelivery<TopicKind>>
}

export interface LiveSubscriptionOptions {
  readonly key: string
  /** Its first delivery, which says where it begins. */
  readonly begin: LiveMark
  /** It begins at the tail: joins the feed at once if that can be, else when it has read what came since. */
  readonly isAtTail: boolean
  /** Makes it a replay: the id of its last entry. */
  readonly end?: string
  readonly history: TopicHistory
  readonly feed: Pick<TopicFeed, 'join' | 'leave'>
  /** Events that wait for the consumer in the live flow, before they are left to be read later. */
  readonly maxBuffered: number
  readonly logger: Logger
  /** Called once, when it was returned, has failed or is complete. */
  readonly onEnd: () => void
}

/**
 * Creates a follower. It is in one of two states: pulling, when it reads entries after its position while the consumer
 * waits for one; and live, when the feed pushes them. A pull that finds nothing more joins the feed; a full queue, or a
 * feed that has lost track, leaves it. Its position is what the consumer took last, so that nothing else needs keeping.
 *
 * Written by hand, not as `async function*`: the `return()` of a generator waits behind a pending `next()`, this one
 * answers both at once.
 */
export function createLiveSubscription(options: LiveSubscriptionOptions): LiveSubscription {
  const { key, begin, isAtTail, end, history, feed, maxBuffered, logger, onEnd } = options
  let state: 'pulling' | 'live' | 'ended' = 'pulling'
  let isPulling = false
  let position = begin.cursor
  /** Until it is taken; it stays when the queue is dropped. */
  let opening: LiveMark | undefined = begin
  let error: AppError | undefined
  const queue = createDeliveryQueue<LiveDelivery<TopicKind>>(({ cursor }) => {
    position = cursor
  })

  const member = {
    push(deliveries: readonly LiveDelivery<TopicKind>[]) {
      for (const delivery of deliveries) {
        if (state !== 'live') return
        if (queue.size < maxBuffered) queue.put(delivery)
        else fallBack()
      }
    },
    release() {
      if (state !== 'live') return
      state = 'pulling'
      if (queue.isAwaited) void pull()
    },
  }

  function take(): LiveDelivery<TopicKind> | undefined {
    const mark = opening
    opening = undefined
    return mark ?? queue.take()
  }

  /** What was not taken is read again when the consumer comes for it. */
  function fallBack(): void {
    queue.drop()
    state = 'pulling'
    feed.leave(key, member)
  }

  function stop(): void {
    state = 'ended'
    feed.leave(key, member)
    onEnd()
  }

  function fail(reason: AppError): void {
    if (state === 'ended') return
    opening = undefined
    queue.drop()
    stop()
    if (!queue.reject(reason)) error = reason
    queue.finish()
  }

  /** Reads on while somebody waits; the queue is empty then. */
  async function pull(): Promise<void> {
    if (isPulling) return
    isPulling = true
    try {
      while (queue.isAwaited && state === 'pulling') await pullPart()
    } catch (thrown) {
      fail(toAppError(thrown))
    } finally {
      isPulling = false
    }
  }

  async function pullPart(): Promise<void> {
    const { id, index } = parseCursor(position)
    const part = await history.readAfter({ key, id }, ENTRIES_PER_PULL)
    if (state !== 'pulling') return
    if (!part.isCovered) {
      const tail = await history.readTail(key)
      if (state !== 'pulling') return
      logger.warn({ key, id }, 'live_reader.gap')
      queue.put({ event: null, cursor: endOfEntry(tail), isGap: true })
      return
    }
    const entries = part.entries.filter(entry => end === undefined || compareStreamIds(entry[0], end) <= 0)
    for (const entry of entries) handEntry(entry, entry[0] === id ? index : -1)
    const lastId = entries.at(-1)?.[0] ?? id
    // With nothing left to take, an entry without events to hand out is passed too.
    if (queue.size === 0) position = endOfEntry(lastId)
    if (end === undefined) {
      if (part.isLast && !goLive(lastId) && lastId === id) await sleep(AHEAD_PAUSE_MS)
    } else if (part.isLast || compareStreamIds(lastId, end) >= 0) {
      queue.put({ event: null, cursor: endOfEntry(lastId), isGap: false })
      stop()
      queue.finish()
    }
  }

  function handEntry(entry: TopicEntry, afterIndex: number): void {
    const deliveries = readEntry(entry, error =>
      logger.error({ err: error, key, id: entry[0] }, 'live_reader.malformed_entry'),
    )
    for (const delivery of deliveries.slice(afterIndex + 1)) queue.put(delivery)
  }

  /** In the turn in which a part was read to its end, so that no entry is between it and the feed. */
  function goLive(id: string): boolean {
    if (!feed.join(key, id, member)) return false
    state = 'live'
    queue.put({ event: null, cursor: endOfEntry(id), isGap: false })
    return true
  }

  if (isAtTail && end === undefined && feed.join(key, parseCursor(begin.cursor).id, member)) state = 'live'

  const iterator: AsyncIterableIterator<LiveDelivery<TopicKind>> = {
    next() {
      const delivery = take()
      if (delivery !== undefined) return Promise.resolve({ done: false, value: delivery })
      if (error !== undefined) {
        const reason = error
        error = undefined
        return Promise.reject(reason)
      }
      if (state === 'ended') return Promise.resolve({ done: true, value: undefined })
      const waiting = queue.wait()
      if (state === 'pulling') void pull()
      return waiting
    },
    return() {
      opening = undefined
      queue.drop()
      if (state !== 'ended') stop()
      error = undefined
      queue.finish()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return iterator
    },
  }

  return { iterator, fail }
}
