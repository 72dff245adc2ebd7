const CURSOR = Symbol('nuvion.cursor')

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
