import type { Pool, RowDataPacket } from 'mysql2/promise'
import { ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { idLowerBound } from '../../shared/uuid-v7.ts'
import { ROLLUPS, type RollupTable } from './event-rollups.ts'
import { sourceColumn, sourceOf } from './rollup-source.ts'

/** A row of a rollup that does not say what the events say. */
export interface RollupFault {
  readonly rollup: RollupTable
  /** Its primary key, joined. */
  readonly key: string
  /** What it counts too many of or, below 0, too few; by the name of the column. */
  readonly excess: Readonly<Record<string, number>>
}

/** Later than any event. */
const MAX_MS = 2 ** 47

/** Quarters that are compared, by the moments with which they begin, epoch milliseconds. All by default. */
export interface ComparedRange {
  readonly from?: number
  readonly to?: number
}

/**
 * Compares the rollups of a space with its events; empty when they agree. Reads all rows of the range: for tests
 * and for people who doubt.
 */
export async function findRollupFaults(
  pool: Pool,
  spaceId: string,
  { from = 0, to = MAX_MS }: ComparedRange = {},
): Promise<RollupFault[]> {
  const buckets = [from, to].map(moment => Math.ceil(moment / ROLLUP_BUCKET_MS))
  const ids = buckets.map(bucket => idLowerBound(bucket * ROLLUP_BUCKET_MS))
  const faults: RollupFault[] = []
  for (const rollup of Object.keys(ROLLUPS) as RollupTable[]) {
    const { key, counts } = ROLLUPS[rollup]
    const { events, grade, counted } = sourceOf(rollup)
    const [rows] = await pool.query<RowDataPacket[]>(
      `SELECT rollup_key, ${counts.map(count => `SUM(${count}) AS ${count}`)} FROM (
         SELECT CONCAT_WS(' ', ${key}) AS rollup_key, ${counts} FROM ${rollup} WHERE space_id = ?
           AND bucket >= ? AND bucket < ?
         UNION ALL
         SELECT CONCAT_WS(' ', ${key.map(sourceColumn)}),
           ${counts.map(count => `-(${grade} = '${count.toUpperCase()}')`)}
           FROM ${events} WHERE space_id = ? AND id >= ? AND id < ? AND ${counted}
       ) AS totals GROUP BY rollup_key HAVING ${counts.map(count => `${count} <> 0`).join(' OR ')}`,
      [spaceId, ...buckets, spaceId, ...ids],
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
