import type { Pool, RowDataPacket } from 'mysql2/promise'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { ROLLUPS, type RollupTable } from './event-rollups.ts'

/** A row of a rollup that does not say what the events say. */
export interface RollupFault {
  readonly rollup: RollupTable
  /** Its primary key, joined. */
  readonly key: string
  /** What it counts too many of or, below 0, too few; by the name of the column. */
  readonly excess: Readonly<Record<string, number>>
}

/** Quarter of an hour of a row, from its id. */
const BUCKET = `CONV(CONCAT(LEFT(id, 8), SUBSTR(id, 10, 4)), 16, 10) DIV ${ROLLUP_BUCKET_MS}`

/** What the columns of a rollup's key are in the table of its events. */
const KEY_SOURCES: Readonly<Record<string, string>> = {
  bucket: BUCKET,
  line_id: `COALESCE(line_id, '${NO_PLACE}')`,
  process_id: `COALESCE(process_id, '${NO_PLACE}')`,
}

/**
 * Compares the rollups of a space with its events; empty when they agree. Reads all rows of the space: for tests and
 * for people who doubt.
 */
export async function findRollupFaults(pool: Pool, spaceId: string): Promise<RollupFault[]> {
  const faults: RollupFault[] = []
  for (const rollup of Object.keys(ROLLUPS) as RollupTable[]) {
    const { key, counts } = ROLLUPS[rollup]
    const events = rollup.startsWith('log') ? 'log' : 'anomaly_occurrence'
    const severity = events === 'log' ? 'level' : 'severity'
    const counted = events === 'log' ? '' : 'AND cleared = 0'
    const [rows] = await pool.query<RowDataPacket[]>(
      `SELECT rollup_key, ${counts.map(count => `SUM(${count}) AS ${count}`)} FROM (
         SELECT CONCAT_WS(' ', ${key}) AS rollup_key, ${counts} FROM ${rollup} WHERE space_id = ?
         UNION ALL
         SELECT CONCAT_WS(' ', ${key.map(column => KEY_SOURCES[column] ?? column)}),
           ${counts.map(count => `-(${severity} = '${count.toUpperCase()}')`)}
           FROM ${events} WHERE space_id = ? ${counted}
       ) AS totals GROUP BY rollup_key HAVING ${counts.map(count => `${count} <> 0`).join(' OR ')}`,
      [spaceId, spaceId],
    )
    for (const { rollup_key, ...excess } of rows)
      faults.push({
        rollup,
        key: rollup_key,
        excess: Object.fromEntries(Object.entries(excess).map(([count, sum]) => [count, Number(sum)])),
      })
  }
  return faults
}
