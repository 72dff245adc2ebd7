import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import type { QuarterRange } from './report-range.ts'
import { listOffsetSpans } from './zone-offsets.ts'

/** Length of a report's bucket. */
export type Interval = 'HOUR' | 'DAY' | 'WEEK' | 'MONTH'

/** Where pieces of a calendar begin, in quarters of the clock on the wall since 1970. */
interface Calendar {
  /** Number of the piece that a quarter is in. */
  numberOf(quarter: number): number
  /** First quarter of the next piece. */
  nextAfter(quarter: number): number
  /** Quarters that no piece is longer than. */
  readonly maxQuarters: number
}

const HOUR = 4
const DAY = 24 * HOUR
/** 1970 began on a Thursday. */
const MONDAY = 3

const CALENDARS: Readonly<Record<Interval, Calendar>> = {
  HOUR: evenPieces(HOUR, 0),
  DAY: evenPieces(DAY, 0),
  WEEK: evenPieces(7 * DAY, MONDAY * DAY),
  MONTH: {
    numberOf(quarter) {
      const date = new Date(quarter * ROLLUP_BUCKET_MS)
      return date.getUTCFullYear() * 12 + date.getUTCMonth()
    },
    nextAfter(quarter) {
      const date = new Date(quarter * ROLLUP_BUCKET_MS)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / ROLLUP_BUCKET_MS
    },
    maxQuarters: 31 * DAY,
  },
}

/**
 * Lists the quarters with which the buckets of a range begin: the first one's is the range's begin or before it, the
 * others are inside. Quarters are numbers since 1970, UTC.
 *
 * A day begins with its first quarter, so that the hour that clocks go back over midnight belongs to one day. Hours also
 * begin where clocks change: the hour that is shown twice is two.
 */
export function listBucketStarts(
  interval: Interval,
  timezone: string,
  { fromQuarter, toQuarter }: QuarterRange,
): number[] {
  const { numberOf, nextAfter, maxQuarters } = CALENDARS[interval]
  const starts: number[] = []
  let newest = Number.NEGATIVE_INFINITY
  // Clocks may go back inside a piece, and make it longer by a day at most.
  const spans = listOffsetSpans(timezone, fromQuarter - maxQuarters - DAY, toQuarter)
  for (const [i, { start, end, offset }] of spans.entries()) {
    for (let shown = start + offset; shown < end + offset; shown = nextAfter(shown)) {
      const number = numberOf(shown)
      if (number <= newest && !(interval === 'HOUR' && i > 0 && shown === start + offset)) continue
      newest = number
      // The first one is where the search begins, not where its piece does.
      if (starts.length > 0 && shown - offset <= fromQuarter) starts.length = 0
      starts.push(shown - offset)
    }
  }
  return starts
}

/** Pieces of the same length, of which one begins `shift` quarters before 1970. */
function evenPieces(length: number, shift: number): Calendar {
  const numberOf = (quarter: number) => Math.floor((quarter + shift) / length)
  return {
    numberOf,
    nextAfter: quarter => (numberOf(quarter) + 1) * length - shift,
    maxQuarters: length,
  }
}
