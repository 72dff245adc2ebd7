import type { LiveEventOf, TopicKind } from '../../../schema/live-event.ts'

/** An event of a topic with its place in it, or where the follower stands. */
export type LiveDelivery<K extends TopicKind> =
  | {
      readonly event: LiveEventOf[K]
      /** As parseCursor reads it; rises along the topic. */
      readonly cursor: string
    }
  | LiveMark

/** Tells where a follower stands in its topic, without an event. */
export interface LiveMark {
  readonly event: null
  /** Everything up to here has been delivered, or is lost to the follower when `isGap`. */
  readonly cursor: string
  /** Events may have been missed before this mark: what they have told must be loaded anew. */
  readonly isGap: boolean
}

/** Where a follower begins. */
export interface StreamStart {
  /** Cursor of what it has already had. Without one it begins at the topic's tail. */
  readonly after?: string
  /** Ends at what is the topic's tail when it begins, instead of following on. */
  readonly isReplay?: boolean
  /** Ends after this many events at the latest; heeded by `followTopic`. */
  readonly maxEvents?: number
}

/** Appends to live topics. */
export interface LivePublisher {
  /**
   * Appends events to their topics, in order, in one round trip. Rejects when Redis did not take them all.
   *
   * `isRepeat` says that some of them may have been appended before, by a call that failed or whose end nobody saw:
   * those that the topic's newest entries hold are left out, for another round trip.
   */
  publish<K extends TopicKind>(
    kind: K,
    events: readonly LiveEventOf[K][],
    options?: { readonly isRepeat?: boolean },
  ): Promise<void>
}

/** Reads live topics with one blocking connection per process. */
export interface LiveReader {
  /**
   * Follows a topic: each event after the start once, in order. `scope` is a space, or SITE_SCOPE.
   *
   * The first delivery is a mark: where the stream begins, which is `start.after`, or the tail of now. More of them tell
   * that a follower has caught up, and, with `isGap`, that events may be missing: `after` or a place that the follower
   * had come to is no longer kept (trimmed, or lost by Redis). It then goes on from the tail. A replay ends with a mark
   * at the tail of when it began.
   *
   * What was missed is read as the consumer takes it. A consumer that falls behind the live flow reads on from where it
   * stands; it is never failed for being slow.
   *
   * Rejects with BAD_USER_INPUT when `after` is no cursor, with UNAVAILABLE when Redis does not answer in time. The
   * iterator rejects with UNAVAILABLE when the reader closes, or Redis is away while what was missed is read; it never
   * ends silently. Its `return()` unsubscribes at once, even while a `next()` is pending.
   */
  subscribe<K extends TopicKind>(
    kind: K,
    scope: string,
    start?: StreamStart,
  ): Promise<AsyncIterableIterator<LiveDelivery<K>>>
}
