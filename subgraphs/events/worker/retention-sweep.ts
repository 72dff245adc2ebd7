import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise'
import { ensureWeekPartitions } from '../../shared/mysql/week-partitions.ts'
import { deleteAnomaliesBefore, listSpacesWithAnomalies } from './old-anomalies.ts'
import { dropWeek, listWeeksBefore } from './old-partitions.ts'
import { deleteRowsBefore } from './old-rows.ts'
import { listSpacesOf, RETAINED_TABLES, type RetainedTable } from './retained-tables.ts'
import type { WorkerMetrics } from './worker-metrics.ts'

const DAY_MS = 86_400_000

/** Seconds that others may have to wait behind a change of a table, which itself waits for who uses it. */
const TABLE_WAIT_SECONDS = 2

/** How a sweep goes easy on those who write. */
export interface SweepPace {
  /** Rows of one statement. Default 500. */
  readonly maxRows: number
  /** The pause behind a statement, in times of what it took: 3 uses a quarter of one connection. Default 3. */
  readonly pauseFactor: number
}

/** Pace unless said otherwise. */
export const SWEEP_PACE: SweepPace = { maxRows: 500, pauseFactor: 3 }

/** What a sweep needs. */
export interface SweepOptions {
  readonly pool: Pool
  /** Days that the site keeps what a space says nothing about. */
  readonly siteDays: number
  /** The moment that it is, epoch milliseconds. */
  readonly now: number
  readonly pace: SweepPace
  readonly metrics: WorkerMetrics
  /** Called between statements; rejects to end the sweep. */
  readonly checkpoint: () => Promise<void>
}

/**
 * Makes the partitions of coming weeks, drops the weeks that have ended before all that any space of the site keeps, and
 * deletes rows in batches where spaces keep less, and anomalies that have not occurred since. Repeats nothing: what it leaves the next one does.
 *
 * The site keeps data for the longest of `siteDays` and the retention of any space, to the end of their week.
 */
export async function sweepRetention(options: SweepOptions): Promise<void> {
  const { pool, siteDays, now, metrics, checkpoint } = options
  const connection = await pool.getConnection()
  try {
    await connection.query(`SET SESSION lock_wait_timeout = ${TABLE_WAIT_SECONDS}`)
    // Else the gaps between old rows are locked too, where late data may be inserted.
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
    const spaces = await listRetentions(connection, siteDays)
    const longestDays = Math.max(siteDays, ...spaces.values())
    await ensureWeekPartitions(connection, { retentionDays: longestDays, now })
    const busy = new Set<string>()
    for (const week of await listWeeksBefore(connection, now - longestDays * DAY_MS)) {
      if (busy.has(week.table)) continue
      await checkpoint()
      const isDropped = await dropWeek(connection, week)
      if (!isDropped) busy.add(week.table)
      metrics[isDropped ? 'droppedPartitions' : 'busyTables'].inc({ table: week.table })
    }
    for (const table of RETAINED_TABLES) {
      const spaceIds = table.isWhole
        ? await listSpacesOf(connection, table)
        : [...spaces].flatMap(([id, days]) => (days < longestDays ? [id] : []))
      for (const spaceId of spaceIds) {
        const before = now - (spaces.get(spaceId) ?? siteDays) * DAY_MS
        await deleteOfSpace(connection, table, spaceId, before, options)
      }
    }
    for (const spaceId of await listSpacesWithAnomalies(connection)) {
      const before = now - (spaces.get(spaceId) ?? siteDays) * DAY_MS
      await deleteAnomalies(connection, spaceId, before, options)
    }
  } finally {
    // Not back into the pool: its session is not as others expect it.
    connection.destroy()
  }
}

async function deleteOfSpace(
  connection: PoolConnection,
  table: RetainedTable,
  spaceId: string,
  before: number,
  { pace, metrics, checkpoint }: SweepOptions,
): Promise<void> {
  for (const key of await table.scopesOf(connection, spaceId)) {
    await checkpoint()
    await deleteRowsBefore(connection, table, {
      key,
      before,
      maxRows: pace.maxRows,
      async afterBatch(rowCount, tookMs) {
        metrics.deletedRows.inc({ table: table.name }, rowCount)
        if (rowCount === 0) return
        await sleep(tookMs * pace.pauseFactor)
        await checkpoint()
      },
    })
  }
}

async function deleteAnomalies(
  connection: PoolConnection,
  spaceId: string,
  before: number,
  { pace, metrics, checkpoint }: SweepOptions,
): Promise<void> {
  await checkpoint()
  await deleteAnomaliesBefore(connection, {
    spaceId,
    before,
    maxRows: pace.maxRows,
    async afterBatch(rowCounts, tookMs) {
      for (const [table, rowCount] of Object.entries(rowCounts)) metrics.deletedRows.inc({ table }, rowCount)
      await sleep(tookMs * pace.pauseFactor)
      await checkpoint()
    },
  })
}

/** Days that each space keeps its data. */
async function listRetentions(connection: PoolConnection, siteDays: number): Promise<Map<string, number>> {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT id, retention_days AS days FROM space')
  return new Map(rows.map(({ id, days }) => [id, days ?? siteDays]))
}
