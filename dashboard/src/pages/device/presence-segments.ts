/** A time in which a device was online, or was not. Epoch milliseconds. */
export interface PresenceSegment {
  readonly isOnline: boolean
  readonly from: number
  readonly to: number
}

/**
 * Turns events, in any order, into segments that fill a range. What a device was when the range began is told by the last
 * event before it, else by the next one, which changed it; without any it is what the device is now.
 */
export function toSegments(
  events: readonly { readonly kind: 'ONLINE' | 'OFFLINE'; readonly occurredAt: string }[],
  { from, to, isOnlineNow }: { from: number; to: number; isOnlineNow: boolean },
): readonly PresenceSegment[] {
  const all = events
    .map(({ kind, occurredAt }) => ({ isOnline: kind === 'ONLINE', at: Date.parse(occurredAt) }))
    .sort((a, b) => a.at - b.at)
  const before = all.findLast(({ at }) => at < from)
  const changes = all.filter(({ at }) => at >= from)
  const [next] = changes
  let isOnline = before?.isOnline ?? (next === undefined ? isOnlineNow : !next.isOnline)
  const segments: PresenceSegment[] = []
  let since = from
  for (const change of changes.filter(({ at }) => at < to)) {
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
