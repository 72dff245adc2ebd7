import type { Pool, RowDataPacket } from 'mysql2/promise'
import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { timeOfId } from '../shared/uuid-v7.ts'
import type { SpaceQuarters } from './rebuild-rollups.ts'

const DAY_MS = 86_400_000

/** The rows that rollups count, and a rollup of each. */
const EVENTS = [
  ['log', 'log_rollup_coarse'],
  ['anomaly_occurrence', 'anomaly_rollup_coarse'],
] as const

/**
 * Finds the moment (epoch milliseconds) from which on all events of a space are still there: what it keeps, and the oldest
 * week that has not been dropped. Null when there is no such space. Two statements.
 */
export async function findEventFloor(
  pool: Pool,
  { spaceId, siteDays, now }: { spaceId: string; siteDays: number; now: number },
): Promise<number | null> {
  const [[space]] = await pool.query<RowDataPacket[]>(
    'SELECT retention_days AS days FROM space WHERE id = ?',
    [spaceId],
  )
  if (space === undefined) return null
  const [partitions] = await pool.query<RowDataPacket[]>(
    `SELECT MIN(PARTITION_NAME) AS name FROM information_schema.PARTITIONS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (?) AND PARTITION_NAME LIKE 'w%' GROUP BY TABLE_NAME`,
    [EVENTS.map(([table]) => table)],
  )
  return Math.max(now - (space.days ?? siteDays) * DAY_MS, ...partitions.map(({ name }) => startOf(name)))
}

/**
 * Finds counts of some quarters whose events are gone: they are older than the oldest event of their kind that there is.
 * Answers the quarter with which the events begin; null when nothing would be lost.
 */
export async function findLostEvents(
  pool: Pool,
  { spaceId, fromQuarter, toQuarter }: SpaceQuarters,
): Promise<number | null> {
  for (const [table, rollup] of EVENTS) {
    const [[event]] = await pool.query<RowDataPacket[]>(
      `SELECT id FROM ${table} FORCE INDEX (PRIMARY) WHERE space_id = ? ORDER BY id LIMIT 1`,
      [spaceId],
    )
    const first = event === undefined ? toQuarter : Math.floor(timeOfId(event.id) / ROLLUP_BUCKET_MS)
    const [[counted]] = await pool.query<RowDataPacket[]>(
      `SELECT bucket FROM ${rollup} WHERE space_id = ? AND bucket >= ? AND bucket < ? LIMIT 1`,
      [spaceId, fromQuarter, Math.min(first, toQuarter)],
    )
    if (counted !== undefined) return first
  }
  return null
}

/** Epoch milliseconds of the Monday that a partition is named after, such as `w20261130`. */
function startOf(name: string): number {
  return Date.parse(`${name.slice(1, 5)}-${name.slice(5, 7)}-${name.slice(7, 9)}T00:00:00Z`)
}
