import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { SEVERITIES } from '../../schema/severity.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { type Interval, listBucketStarts } from './calendar-buckets.ts'
import { columnsOf, type Group } from './group-columns.ts'
import { readReportRange } from './report-range.ts'
import { fillReportRows, MAX_REPORT_ROWS, type ReportRow, sumOfRows } from './report-rows.ts'
import { type KeyColumn, type RollupQuery, sumRollup } from './rollup-repository.ts'

/** What is counted: the rollups of it, and their counts from the least severity to the greatest. */
interface CountedEvents {
  readonly fine: RollupQuery['table']
  readonly coarse: RollupQuery['table']
  readonly severities: readonly string[]
}

export const ANOMALIES = {
  fine: 'anomaly_rollup_fine',
  coarse: 'anomaly_rollup_coarse',
  severities: SEVERITIES,
} as const satisfies CountedEvents

export const LOGS = {
  fine: 'log_rollup_fine',
  coarse: 'log_rollup_coarse',
  severities: ['DEBUG', 'INFO', 'WARN', 'ERROR'],
} as const satisfies CountedEvents

/** What a report is asked for. */
export interface EventReportRequest {
  readonly spaceId: string
  readonly from: Date
  readonly to: Date
  readonly interval: Interval
  /** As parseTimezone answers. */
  readonly timezone: string
  /** A severity is the level of a log. */
  readonly groupBy: readonly Group[]
}

/** Events of a range by buckets and groups. */
export interface EventReport<Severity extends string> {
  readonly from: Date
  readonly to: Date
  readonly timezone: string
  readonly total: number
  readonly rows: readonly EventReportRow<Severity>[]
}

/** Events of one bucket and group; what is not told apart is null. */
export interface EventReportRow<Severity extends string> {
  readonly bucketStart: Date
  readonly lineId: string | null
  readonly processId: string | null
  readonly deviceId: string | null
  readonly type: string | null
  readonly severity: Severity | null
  readonly total: number
}

/**
 * Counts events by the calendar of a zone: one statement over the smallest rollup that tells the groups apart. Throws
 * BAD_USER_INPUT for a range or a number of rows that is too much.
 */
export async function readEventReport<Severity extends string>(
  db: Db,
  { fine, coarse, severities }: CountedEvents & { readonly severities: readonly Severity[] },
  { spaceId, from, to, interval, timezone, groupBy }: EventReportRequest,
): Promise<EventReport<Severity>> {
  const range = readReportRange(interval, from, to)
  const keys = columnsOf(groupBy).filter(column => column !== 'severity_rank')
  const isBySeverity = groupBy.includes('SEVERITY')
  const columns = severities.map(severity => severity.toLowerCase())
  const starts = listBucketStarts(interval, timezone, range)
  const sums = await sumRollup(db, {
    table: groupBy.includes('DEVICE') || groupBy.includes('TYPE') ? fine : coarse,
    keys,
    sums: isBySeverity ? columns.map(column => [column]) : [columns],
    spaceId,
    range,
    starts,
    limit: MAX_REPORT_ROWS + 1,
  })
  const rows = fillReportRows(sums, {
    bucketCount: starts.length,
    keyCount: keys.length,
    isBySeverity,
  })
  return {
    from: atQuarter(range.fromQuarter),
    to: atQuarter(range.toQuarter),
    timezone,
    total: sumOfRows(rows),
    rows: rows.map(row => nameRow(row, { keys, starts, severities })),
  }
}

function nameRow<Severity extends string>(
  row: ReportRow,
  {
    keys,
    starts,
    severities,
  }: { keys: readonly KeyColumn[]; starts: readonly number[]; severities: readonly Severity[] },
): EventReportRow<Severity> {
  const keyOf = (column: KeyColumn) => row.keys[keys.indexOf(column)] ?? null
  const placeOf = (column: KeyColumn) => {
    const id = keyOf(column)
    return id === NO_PLACE ? null : id
  }
  return {
    bucketStart: atQuarter(starts[row.bucket] ?? 0),
    lineId: placeOf('line_id'),
    processId: placeOf('process_id'),
    deviceId: keyOf('device_id'),
    type: keyOf('type'),
    severity: row.severity === null ? null : (severities[row.severity] ?? null),
    total: row.total,
  }
}

function atQuarter(quarter: number): Date {
  return new Date(quarter * ROLLUP_BUCKET_MS)
}
