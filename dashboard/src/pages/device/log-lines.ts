import type { LogLineFragment } from './device.generated.ts'

/** A line of the tail; `cursor` where it came by a page. */
export interface TailLine {
  readonly log: LogLineFragment
  readonly cursor: string | null
}

/** Lines, the oldest first, each once. */
export interface LogLines {
  readonly lines: readonly TailLine[]
  /** Whether there may be older ones. */
  readonly hasOlder: boolean
  /** New ones that found no room. */
  readonly leftOut: number
}

/** Lines that are kept. */
export const MAX_LINES = 5_000

/** A page of logs, the newest first. */
export interface LogPage {
  readonly edges: readonly { readonly cursor: string; readonly node: LogLineFragment }[]
  readonly pageInfo: { readonly hasNextPage: boolean }
}

const byId = (a: TailLine, b: TailLine) => (a.log.id < b.log.id ? -1 : 1)

/** Begins with the newest page. */
export function beginLines(page: LogPage): LogLines {
  const lines = page.edges.map(({ cursor, node }) => ({ log: node, cursor })).sort(byId)
  return { lines, hasOlder: page.pageInfo.hasNextPage, leftOut: 0 }
}

/** Puts an older page before the lines. Past MAX_LINES the newest are left out. */
export function addOlder(before: LogLines, page: LogPage): LogLines {
  const known = new Set(before.lines.map(({ log }) => log.id))
  const older = page.edges.flatMap(({ cursor, node }) => (known.has(node.id) ? [] : [{ log: node, cursor }]))
  const lines = [...older, ...before.lines].sort(byId)
  // The newest go: whoever reads so far back comes back to them by a load.
  const over = Math.max(0, lines.length - MAX_LINES)
  return {
    lines: lines.slice(0, lines.length - over),
    hasOlder: page.pageInfo.hasNextPage,
    leftOut: before.leftOut + over,
  }
}

/**
 * Adds new lines where their ids say, as a device that was offline sends them late. Past MAX_LINES the oldest go while the
 * end is followed; while it is not, nothing that is looked at may go, and the new ones are left out.
 */
export function addNew(before: LogLines, logs: readonly LogLineFragment[], isFollowing: boolean): LogLines {
  const known = new Set(before.lines.map(({ log }) => log.id))
  const fresh = logs.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return before
  const room = MAX_LINES - before.lines.length
  // Once some are left out the later ones are too, until all is loaded anew: a hole would tell a lie.
  if (before.leftOut > 0 || (!isFollowing && fresh.length > room))
    return { ...before, leftOut: before.leftOut + fresh.length }
  const all = [...before.lines, ...fresh.map(log => ({ log, cursor: null }))].sort(byId)
  const lines = all.slice(Math.max(0, all.length - MAX_LINES))
  return { lines, hasOlder: before.hasOlder || lines.length < all.length, leftOut: 0 }
}

/** How to ask for what is older than the lines: after a cursor, or up to a moment where the oldest has none. */
export function olderThan({ lines }: LogLines): { after: string | null; to: string | null } {
  const oldest = lines[0]
  if (oldest === undefined) return { after: null, to: null }
  if (oldest.cursor !== null) return { after: oldest.cursor, to: null }
  return { after: null, to: new Date(Date.parse(oldest.log.occurredAt) + 1).toISOString() }
}
