import type { Db } from '../shared/mysql/open-mysql.ts'
import { type PlaceColumn, type PresenceSum, sumPresence } from './availability-repository.ts'
import { columnsOf } from './group-columns.ts'
import { readTimeRange, type TimeRange } from './report-range.ts'
import { MAX_REPORT_ROWS, tooManyRows } from './report-rows.ts'

/** How long devices were online, added up. */
export interface Availability {
  /** From 0 to 1; null where no time was counted. */
  readonly onlineRatio: number | null
  readonly downtimeSeconds: number
  readonly outages: number
  /** Null without outages. */
  readonly mtbfSeconds: number | null
  /** Null without outages. */
  readonly mttrSeconds: number | null
}

/** Availability of one group; what is not told apart is null. */
export interface AvailabilityRow extends Availability {
  readonly lineId: string | null
  readonly processId: string | null
  readonly deviceId: string | null
}

/** Availability of a space's devices in a range. */
export interface AvailabilityReport {
  readonly from: Date
  readonly to: Date
  readonly timezone: string
  readonly rows: readonly AvailabilityRow[]
}

/** Reads a range up to now (epoch milliseconds), as readTimeRange reads it; one that lies ahead has no length. */
export function readPastRange(from: Date, to: Date, now: number): TimeRange {
  const { fromMs, toMs } = readTimeRange(from, to)
  return { fromMs, toMs: Math.max(fromMs, Math.min(toMs, now)) }
}

/** Tells availability by groups: one statement. Throws BAD_USER_INPUT for too many rows. */
export async function readAvailabilityReport(
  db: Db,
  {
    spaceId,
    range,
    timezone,
    groupBy,
  }: {
    spaceId: string
    range: TimeRange
    timezone: string
    groupBy: readonly ('LINE' | 'PROCESS' | 'DEVICE')[]
  },
): Promise<AvailabilityReport> {
  const by = columnsOf(groupBy) as PlaceColumn[]
  const sums = await sumPresence(db, { spaceId }, { range, by, limit: MAX_REPORT_ROWS + 1 })
  if (sums.length > MAX_REPORT_ROWS) throw tooManyRows()
  return {
    from: new Date(range.fromMs),
    to: new Date(range.toMs),
    timezone,
    rows: sums.map(sum => ({ ...sum, ...availabilityOf(sum) })),
  }
}

/** Figures of what was added up. */
export function availabilityOf({ onlineMs, offlineMs, outages }: PresenceSum): Availability {
  const allMs = onlineMs + offlineMs
  return {
    onlineRatio: allMs === 0 ? null : onlineMs / allMs,
    downtimeSeconds: offlineMs / 1000,
    outages,
    mtbfSeconds: outages === 0 ? null : onlineMs / 1000 / outages,
    mttrSeconds: outages === 0 ? null : offlineMs / 1000 / outages,
  }
}
