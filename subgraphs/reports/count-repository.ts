import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { selectWithin, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { MAX_SUM_SECONDS } from './report-advice.ts'
import type { QuarterRange } from './report-range.ts'

const SOURCES = {
  device: { table: 'anomaly_rollup_device', column: 'device_id' },
  line: { table: 'anomaly_rollup_coarse', column: 'line_id' },
  process: { table: 'anomaly_rollup_coarse', column: 'process_id' },
} as const

/** What has anomalies. */
export type CountedKind = keyof typeof SOURCES

/**
 * Counts anomalies of devices, lines or processes of these spaces, one of each at least; those without are missing.
 * UNAVAILABLE when it takes too long.
 */
export async function countAnomalies(
  db: Db,
  kind: CountedKind,
  { ids, spaceIds, range }: { ids: readonly string[]; spaceIds: readonly string[]; range: QuarterRange },
): Promise<Map<string, number>> {
  const { table, column } = SOURCES[kind]
  const statement = sql`
    ${selectWithin(MAX_SUM_SECONDS)} ${sql.raw(column)} AS id, SUM(info + minor + major + critical) AS total FROM ${sql.raw(table)}
    WHERE space_id IN (${listOf(spaceIds)}) AND ${sql.raw(column)} IN (${listOf(ids)})
      AND bucket >= ${range.fromQuarter} AND bucket < ${range.toQuarter}
    GROUP BY id`
  const advice = 'take less time between from and to, or ask about fewer at once.'
  const [rows] = (await tellDeadline(db.execute(statement), advice, MAX_SUM_SECONDS)) as unknown as [
    { id: string; total: string | number }[],
  ]
  return new Map(rows.map(({ id, total }) => [id, Number(total)]))
}

function listOf(values: readonly string[]): SQL {
  return sql.join(
    values.map(value => sql`${value}`),
    sql.raw(', '),
  )
}
