/** What a feed shows. */
export const FEED_KINDS = ['log', 'anomaly', 'presence'] as const

/** Kind of what a feed shows. */
export type FeedKind = (typeof FEED_KINDS)[number]

/** What an item of a feed is: its row is found by it. */
export interface FeedKey {
  readonly kind: FeedKind
  readonly id: string
  readonly spaceId: string
}

/** Writes a key as text whose order, byte by byte, is that of the ids, which is that of time: `<id>:<kind>:<space>`. */
export function serializeFeedKey({ kind, id, spaceId }: FeedKey): string {
  return `${id}:${kind}:${spaceId}`
}

/** Reads a key. Throws TypeError on a text that serializeFeedKey has not written. */
export function parseFeedKey(text: string): FeedKey {
  const [id = '', name, spaceId = ''] = text.split(':')
  const kind = FEED_KINDS.find(one => one === name)
  if (kind === undefined) throw new TypeError(`Expected the key of a feed's item, got ${text}.`)
  return { kind, id, spaceId }
}

/** Order of a feed, newest first. */
export function compareNewestFirst(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}
