import type { Pool, RowDataPacket } from 'mysql2/promise'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'

/** A row of a rollup that does not say what the events say; `excess` is what it has too much (or, below 0, too little). */
export interface RollupFault {
  readonly rollup: 'fine' | 'coarse'
  readonly kind: string
  readonly bucket: number
  /** What the row counts: its device, severity and type, or its line, process and severity. */
  readonly key: string
  readonly excess: number
}

/** Quarter of an hour of a row, from its id. */
const BUCKET = `CONV(CONCAT(LEFT(id, 8), SUBSTR(id, 10, 4)), 16, 10) DIV ${ROLLUP_BUCKET_MS}`

const EVENTS = `
  SELECT 'log' AS kind, ${BUCKET} AS bucket, device_id, line_id, process_id, level AS severity, '' AS type
    FROM log WHERE space_id = ?
  UNION ALL
  SELECT 'anomaly', ${BUCKET}, device_id, line_id, process_id, severity, type
    FROM anomaly_occurrence WHERE space_id = ? AND cleared = 0`

const FINE_KEY = "CONCAT_WS(' ', device_id, severity, type)"

const COARSE_KEY = `CONCAT_WS(' ', COALESCE(line_id, '${NO_PLACE}'), COALESCE(process_id, '${NO_PLACE}'), severity)`

/**
 * Compares the rollups of a space with its events; empty when they agree. Reads all rows of the space: for tests and
 * for people who doubt.
 */
export async function findRollupFaults(pool: Pool, spaceId: string): Promise<RollupFault[]> {
  return [
    ...(await compare(pool, spaceId, 'fine', FINE_KEY)),
    ...(await compare(pool, spaceId, 'coarse', COARSE_KEY)),
  ]
}

async function compare(
  pool: Pool,
  spaceId: string,
  rollup: RollupFault['rollup'],
  key: string,
): Promise<RollupFault[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT kind, bucket, counted, SUM(total) AS excess FROM (
       SELECT kind, bucket, ${key} AS counted, total FROM event_rollup_${rollup} WHERE space_id = ?
       UNION ALL SELECT kind, bucket, ${key}, -1 FROM (${EVENTS}) AS events
     ) AS totals GROUP BY kind, bucket, counted HAVING excess <> 0`,
    [spaceId, spaceId, spaceId],
  )
  return rows.map(({ kind, bucket, counted, excess }) => ({
    ...{ rollup, kind, bucket: Number(bucket), key: counted, excess: Number(excess) },
  }))
}
