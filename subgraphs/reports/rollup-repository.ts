import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { selectWithin, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { MAX_SUM_SECONDS, REPORT_ADVICE } from './report-advice.ts'
import type { QuarterRange } from './report-range.ts'

/** Columns of the rollups that rows are told apart by, in the order of rows. */
export type KeyColumn = 'line_id' | 'process_id' | 'device_id' | 'type'

/** Which rollup to add up, and by what. */
export interface RollupQuery {
  readonly table: 'anomaly_rollup_coarse' | 'anomaly_rollup_fine' | 'log_rollup_coarse' | 'log_rollup_fine'
  /** Columns of its key. */
  readonly keys: readonly KeyColumn[]
  /** Columns of counts: each list is one sum. */
  readonly sums: readonly (readonly string[])[]
  readonly spaceId: string
  readonly range: QuarterRange
  /** Quarters with which buckets begin, ascending; the first one's is the range's or before it. */
  readonly starts: readonly number[]
  /** Rows to answer at most. */
  readonly limit: number
  /** When the server breaks it off. Default MAX_SUM_SECONDS. */
  readonly maxSeconds?: number
}

/** Sums of one bucket and key. */
export interface RollupSum {
  /** Place of the bucket among `starts`. */
  readonly bucket: number
  /** In the order of the query's. */
  readonly keys: readonly string[]
  /** In the order of the query's sums. */
  readonly counts: readonly number[]
}

/**
 * Adds up a rollup by buckets and keys, in no order; what has no events is missing. UNAVAILABLE when it takes too long.
 */
export async function sumRollup(db: Db, query: RollupQuery): Promise<RollupSum[]> {
  const { table, keys, sums, spaceId, range, starts, limit, maxSeconds = MAX_SUM_SECONDS } = query
  const columns = ['slot', ...keys].join(', ')
  const statement = sql`
    ${selectWithin(maxSeconds)} ${slotOf(starts)} AS ${sql.raw(columns)}, ${sql.raw(sums.map(sumOf).join(', '))}
    FROM ${sql.raw(table)}
    WHERE space_id = ${spaceId} AND bucket >= ${range.fromQuarter} AND bucket < ${range.toQuarter}
    GROUP BY ${sql.raw(columns)} LIMIT ${limit}`
  const [rows] = (await tellDeadline(db.execute(statement), REPORT_ADVICE, maxSeconds)) as unknown as [
    Record<string, string | number>[],
  ]
  return rows.map(row => ({
    bucket: Number(row.slot),
    keys: keys.map(key => String(row[key])),
    counts: sums.map((_, i) => Number(row[nameOf(i)])),
  }))
}

/**
 * Place of a row's bucket among the starts. INTERVAL searches by halves, in MariaDB and MySQL both; neither needs to know
 * a time zone.
 */
function slotOf(starts: readonly number[]): SQL {
  return starts.length < 2 ? sql.raw('0') : sql.raw(`INTERVAL(bucket, ${starts.slice(1).join(', ')})`)
}

/** As a double: exact up to 2^53, and for less CPU than the decimals that whole numbers are added up as. */
function sumOf(columns: readonly string[], i: number): string {
  return `SUM(${columns.join(' + ')} + 0e0) AS ${nameOf(i)}`
}

function nameOf(i: number): string {
  return `sum_${i}`
}
