import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Pool, RowDataPacket } from 'mysql2/promise'
import { idLowerBound, timeOfId } from '../uuid-v7.ts'

const DAY_MS = 86_400_000
/** A week, in milliseconds. */
export const WEEK_MS = 7 * DAY_MS

/** A Monday, 00:00 UTC, before all others that matter. */
const SOME_MONDAY = Date.UTC(2001, 0, 1)

/** Weeks for which partitions are made ahead. */
const WEEKS_AHEAD = 4

/** How the upper bound of a week is written in the definition of a table, and read. */
interface BoundFormat {
  /** The literal of a moment, epoch milliseconds. */
  readonly write: (epochMs: number) => string
  readonly read: (literal: string) => number
}

const ID_BOUND: BoundFormat = {
  write: epochMs => `'${idLowerBound(epochMs)}'`,
  read: literal => timeOfId(literal.replaceAll("'", '')),
}

const numberBound = (unitMs: number): BoundFormat => ({
  write: epochMs => String(epochMs / unitMs),
  read: literal => Number(literal) * unitMs,
})

/** The tables that are partitioned by week, and by what. */
const PARTITIONED_TABLES: Readonly<Record<string, BoundFormat>> = {
  log: ID_BOUND,
  anomaly_occurrence: ID_BOUND,
  presence_event: ID_BOUND,
  state_change: numberBound(1),
  metric_minute: numberBound(60_000),
}

/** How often a lost race against another process is looked at again. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 100

/** What MariaDB and MySQL say when another process has made the partition meanwhile, or is at it. */
const RACE_ERRNOS = new Set([
  1493, // ER_RANGE_NOT_INCREASING_ERROR
  1507, // ER_DROP_PARTITION_NON_EXISTENT
  1517, // ER_SAME_NAME_PARTITION
  1205, // ER_LOCK_WAIT_TIMEOUT
  1213, // ER_LOCK_DEADLOCK
])

export interface WeekPartitionOptions {
  /** How long data are kept; partitions begin there. Default 90. */
  retentionDays?: number
  /** Epoch milliseconds. Default now. */
  now?: number
}

/**
 * Divides what the partition `rest` covers into weeks (Monday to Monday, UTC), from the beginning of the retention, or
 * the last week there is, to four weeks ahead: about 18 partitions. Where rows have ids a bound is the prefix of the
 * first UUIDv7 of a week, so a row's week is that of its id; else it is a moment. One ALTER per table when something is missing, one SELECT in all when
 * nothing is. Several processes may do it at once. Data older than the first week lie in its partition.
 */
export async function ensureWeekPartitions(
  pool: Pool | Connection,
  options: WeekPartitionOptions = {},
): Promise<void> {
  const { retentionDays = 90, now = Date.now() } = options
  for (let attempt = 1; ; attempt++) {
    try {
      const bounds = await readBounds(pool)
      for (const [table, format] of Object.entries(PARTITIONED_TABLES)) {
        const last = Math.max(0, ...(bounds.get(table) ?? []).map(format.read))
        const weeks = missingWeeks(last, now, retentionDays)
        if (weeks.length > 0) await pool.query(reorganizeSql(table, weeks, format))
      }
      return
    } catch (error) {
      const isRace = error instanceof Error && 'errno' in error && RACE_ERRNOS.has(Number(error.errno))
      if (!isRace || attempt === MAX_ATTEMPTS) throw error
      await sleep(RETRY_MS * attempt)
    }
  }
}

/** Monday 00:00 UTC of the week of a moment. */
export function weekStart(epochMs: number): number {
  return epochMs - ((((epochMs - SOME_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS)
}

/** Upper bounds of the partitions by table, as they stand in the table's definition. */
async function readBounds(pool: Pool | Connection): Promise<Map<string, string[]>> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT TABLE_NAME AS tableName, PARTITION_DESCRIPTION AS bound FROM information_schema.PARTITIONS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (?) AND PARTITION_DESCRIPTION <> 'MAXVALUE'`,
    [Object.keys(PARTITIONED_TABLES)],
  )
  const bounds = new Map<string, string[]>()
  for (const { tableName, bound } of rows) {
    const ofTable = bounds.get(tableName) ?? []
    ofTable.push(String(bound))
    bounds.set(tableName, ofTable)
  }
  return bounds
}

/** Starts of the weeks that need a partition and have none, in order; `last` is the greatest bound there is. */
function missingWeeks(last: number, now: number, retentionDays: number): number[] {
  const weeks: number[] = []
  const end = weekStart(now) + WEEKS_AHEAD * WEEK_MS
  for (let week = weekStart(now - retentionDays * DAY_MS); week <= end; week += WEEK_MS)
    if (week + WEEK_MS > last) weeks.push(week)
  return weeks
}

function reorganizeSql(table: string, weeks: readonly number[], format: BoundFormat): string {
  const partitions = weeks.map(week => {
    const name = `w${new Date(week).toISOString().slice(0, 10).replaceAll('-', '')}`
    return `PARTITION ${name} VALUES LESS THAN (${format.write(week + WEEK_MS)})`
  })
  return `ALTER TABLE ${table} REORGANIZE PARTITION rest INTO (${partitions.join(', ')}, PARTITION rest VALUES LESS THAN (MAXVALUE))`
}
