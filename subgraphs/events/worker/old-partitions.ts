import type { Connection, RowDataPacket } from 'mysql2/promise'
import { WEEK_MS } from '../../shared/mysql/week-partitions.ts'

/** A week of a table. */
export interface WeekPartition {
  readonly table: string
  readonly name: string
}

const ER_LOCK_WAIT_TIMEOUT = 1205

/** Finds the weeks of all tables that have ended at or before a moment (epoch milliseconds), oldest first. */
export async function listWeeksBefore(connection: Connection, before: number): Promise<WeekPartition[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT TABLE_NAME AS tableName, PARTITION_NAME AS name FROM information_schema.PARTITIONS
     WHERE TABLE_SCHEMA = DATABASE() AND PARTITION_METHOD = 'RANGE COLUMNS' ORDER BY name, tableName`,
  )
  return rows
    .map(({ tableName, name }) => ({ table: String(tableName), name: String(name) }))
    .filter(({ name }) => startOf(name) + WEEK_MS <= before)
}

/**
 * Drops a week. False when it is left because the table was in use for longer than the connection's
 * `lock_wait_timeout`: who waits for a table to be free keeps all others waiting behind.
 */
export async function dropWeek(connection: Connection, { table, name }: WeekPartition): Promise<boolean> {
  try {
    await connection.query('ALTER TABLE ?? DROP PARTITION ??', [table, name])
    return true
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === ER_LOCK_WAIT_TIMEOUT) return false
    throw error
  }
}

/** Epoch milliseconds of the Monday that a partition is named after (`w20261130`); NaN for other names. */
function startOf(name: string): number {
  const [, year, month, day] = /^w(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`)
}
