import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { createBoundedCache } from '../shared/bounded-cache.ts'

/** Quarters of an hour, from `start` on and before `end`, in which a zone's clocks stay so far ahead of UTC. */
export interface OffsetSpan {
  /** Quarter's number since 1970, UTC, as `bucket` of the rollups. */
  readonly start: number
  readonly end: number
  /** In quarters, rounded. */
  readonly offset: number
}

/** No zone has changed its clocks there and back within so few quarters: a week. */
const SAMPLE_QUARTERS = 7 * 96

/** Making a format costs a hundred times what using it does. */
const formats = createBoundedCache<string, Intl.DateTimeFormat>(500)

/**
 * Lists the spans between `start` and `end` (quarters since 1970, UTC), one after the other without gaps.
 * `timezone` is a name that parseTimezone has let through. A change of clocks inside a quarter counts from the next one.
 */
export function listOffsetSpans(timezone: string, start: number, end: number): OffsetSpan[] {
  const spans: OffsetSpan[] = []
  let spanStart = start
  let offset = offsetAt(timezone, start)
  for (let known = start; known < end; ) {
    const next = Math.min(known + SAMPLE_QUARTERS, end)
    const nextOffset = offsetAt(timezone, next)
    if (nextOffset !== offset) {
      const change = findChange(timezone, known, next)
      if (change < end) {
        spans.push({ start: spanStart, end: change, offset })
        spanStart = change
        offset = nextOffset
      }
    }
    known = next
  }
  spans.push({ start: spanStart, end, offset })
  return spans
}

/** The first quarter after `before` with the offset of `after`. */
function findChange(timezone: string, before: number, after: number): number {
  const offset = offsetAt(timezone, after)
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(timezone, middle) === offset) high = middle
    else low = middle
  }
  return high
}

function offsetAt(timezone: string, quarter: number): number {
  let format = formats.get(timezone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
    formats.set(timezone, format)
  }
  const text = format.format(quarter * ROLLUP_BUCKET_MS)
  const [, sign, hours, minutes, seconds = 0] = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text) ?? []
  if (sign === undefined) return 0
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 900
  return Math.round(sign === '-' ? -offset : offset)
}
