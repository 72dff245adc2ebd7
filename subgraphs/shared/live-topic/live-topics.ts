import type { LiveEventOf, TopicKind } from '../../../schema/live-event.ts'

/** One event of a topic with its place in it. */
export interface LiveDelivery<K extends TopicKind> {
  readonly event: LiveEventOf[K]
  /** `<stream id>.<index in the entry>`; rises along the topic. */
  readonly cursor: string
}

/** Appends to live topics. */
export interface LivePublisher {
  /** Appends events to their topics, in order, in one round trip. Rejects when Redis did not take them all. */
  publish<K extends TopicKind>(kind: K, events: readonly LiveEventOf[K][]): Promise<void>
}

/** Reads live topics with one blocking connection per process. */
export interface LiveReader {
  /**
   * Follows a topic from now on. The iterator's `return()` unsubscribes at once, even while a `next()` is pending.
   * It rejects with UNAVAILABLE when the reader closes or its buffer (1,000 events) overflows: never a silent end.
   * Resolves once the topic's tail is known: every event published after that is delivered.
   */
  subscribe<K extends TopicKind>(kind: K, spaceId: string): Promise<AsyncIterableIterator<LiveDelivery<K>>>
}
