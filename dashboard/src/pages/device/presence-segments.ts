/** A time in which a device was online, or was not. Epoch milliseconds. */
export interface PresenceSegment {
  readonly isOnline: boolean
  readonly from: number
  readonly to: number
}

/**
 * Turns the events of a range, in any order, into segments that fill it. Before the first event a device was what that
 * event changed; without any it was all the time what it is now.
 */
export function toSegments(
  events: readonly { readonly kind: 'ONLINE' | 'OFFLINE'; readonly occurredAt: string }[],
  { from, to, isOnlineNow }: { from: number; to: number; isOnlineNow: boolean },
): readonly PresenceSegment[] {
  const changes = events
    .map(({ kind, occurredAt }) => ({ isOnline: kind === 'ONLINE', at: Date.parse(occurredAt) }))
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at)
  const segments: PresenceSegment[] = []
  let isOnline = changes[0] === undefined ? isOnlineNow : !changes[0].isOnline
  let since = from
  for (const change of changes) {
    if (change.isOnline === isOnline) continue
    if (change.at > since) segments.push({ isOnline, from: since, to: change.at })
    isOnline = change.isOnline
    since = change.at
  }
  if (to > since) segments.push({ isOnline, from: since, to })
  return segments
}

/** How much of the segments a device was online, 0 to 1. */
export function onlineShare(segments: readonly PresenceSegment[]): number {
  const length = (some: readonly PresenceSegment[]) => some.reduce((sum, { from, to }) => sum + to - from, 0)
  const all = length(segments)
  return all === 0 ? 0 : length(segments.filter(({ isOnline }) => isOnline)) / all
}
