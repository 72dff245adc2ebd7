import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { AppError } from '../shared/errors.ts'
import type { Interval } from './calendar-buckets.ts'

/** A range of moments, epoch milliseconds; `toMs` is after `fromMs` and not in it. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

/** A range of quarters of an hour, numbered since 1970, UTC, as `bucket` of the rollups; `toQuarter` is not in it. */
export interface QuarterRange {
  readonly fromQuarter: number
  readonly toQuarter: number
}

const DAY_MS = 24 * 60 * 60_000

/** Days that a range may have. A calendar's 3 and 10 years have up to so many. */
const MAX_DAYS: Readonly<Record<Interval, { readonly days: number; readonly text: string }>> = {
  HOUR: { days: 31, text: '31 days' },
  DAY: { days: 366, text: '366 days' },
  WEEK: { days: 3 * 365 + 1, text: '3 years' },
  MONTH: { days: 10 * 365 + 3, text: '10 years' },
}

/** The end of 9998. */
const LAST_MS = Date.UTC(9999, 0)

/** Reads a range of at most 366 days. Throws BAD_USER_INPUT when it has no length or too much. */
export function readTimeRange(from: Date, to: Date): TimeRange {
  requireOrder(from, to)
  if (to.getTime() - from.getTime() > MAX_DAYS.DAY.days * DAY_MS)
    throw new AppError('BAD_USER_INPUT', `to is at most ${MAX_DAYS.DAY.text} after from.`)
  return { fromMs: from.getTime(), toMs: to.getTime() }
}

/** Reads the range of a report by intervals. Throws BAD_USER_INPUT when it has no length, or too much for the interval. */
export function readReportRange(interval: Interval, from: Date, to: Date): QuarterRange {
  requireOrder(from, to)
  const { days, text } = MAX_DAYS[interval]
  // Clocks may be an hour apart between the same days of two years.
  if (to.getTime() - from.getTime() > days * DAY_MS + 60 * 60_000)
    throw new AppError(
      'BAD_USER_INPUT',
      `With the interval ${interval}, to is at most ${text} after from: take a longer interval or less time.`,
    )
  return quartersOf({ fromMs: from.getTime(), toMs: to.getTime() })
}

/** Quarters that hold a moment of the range. */
export function quartersOf({ fromMs, toMs }: TimeRange): QuarterRange {
  return {
    fromQuarter: Math.floor(fromMs / ROLLUP_BUCKET_MS),
    toQuarter: Math.ceil(toMs / ROLLUP_BUCKET_MS),
  }
}

function requireOrder(from: Date, to: Date): void {
  if (from.getTime() >= to.getTime()) throw new AppError('BAD_USER_INPUT', 'from is before to.')
  if (from.getTime() < 0) throw new AppError('BAD_USER_INPUT', 'from is not before 1970.')
  // Rounded up it would be in a year of five digits, which is no DateTime.
  if (to.getTime() > LAST_MS) throw new AppError('BAD_USER_INPUT', 'to is not after the year 9998.')
}
