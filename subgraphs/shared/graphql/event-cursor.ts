const CURSOR = Symbol('nuvion.cursor')
const MARK = Symbol('nuvion.mark')
const OPENS_WITH_MARK = Symbol('nuvion.opensWithMark')

/** Where a stream stands, without an event. */
export interface StreamMark {
  /** Absent when the source has no cursors. */
  readonly cursor?: string
  /** Events may be missing before it. */
  readonly isGap: boolean
}

/**
 * Returns a copy of a subscription's root value that carries the cursor of the event it was made of.
 *
 * What a subscription resolver's iterator yields becomes the root value of that event's execution; whoever executes it
 * (the gateway in-process, the subgraph's server) puts the cursor into the result's `extensions.cursor`.
 */
export function withCursor<T extends object>(rootValue: T, cursor: string): T {
  return { ...rootValue, [CURSOR]: cursor }
}

/** Returns the cursor that `withCursor` put on a root value; undefined when there is none. */
export function cursorOf(rootValue: unknown): string | undefined {
  if (typeof rootValue !== 'object' || rootValue === null) return undefined
  const cursor = (rootValue as { [CURSOR]?: unknown })[CURSOR]
  return typeof cursor === 'string' ? cursor : undefined
}

/**
 * Makes a mark for a stream of root values: passed on to the follower's gateway, never executed, so that no resolver
 * sees that it is no `T`.
 */
export function createMark<T extends object>(cursor: string | undefined, isGap: boolean): T {
  const mark: StreamMark = cursor === undefined ? { isGap } : { cursor, isGap }
  return { [MARK]: mark } as unknown as T
}

/** Returns the mark that a root value is; undefined when it is an event's. */
export function markOf(rootValue: unknown): StreamMark | undefined {
  if (typeof rootValue !== 'object' || rootValue === null) return undefined
  return (rootValue as { [MARK]?: StreamMark })[MARK]
}

/** Says of a stream of root values that its first one is a mark; returns the stream. */
export function openingWithMark<T extends object>(stream: T): T {
  return Object.assign(stream, { [OPENS_WITH_MARK]: true })
}

/** Whether `openingWithMark` was said of the stream. */
export function opensWithMark(stream: object): boolean {
  return OPENS_WITH_MARK in stream
}
