import { sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { SELECT_OF_DEADLINE, STATEMENT_OF_DEADLINE, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { idLowerBound } from '../shared/uuid-v7.ts'
import type { GroupColumn } from './group-columns.ts'
import { msOfId, msOfMoment } from './moment-sql.ts'
import { REPORT_ADVICE } from './report-advice.ts'
import type { TimeRange } from './report-range.ts'

/** How long the anomalies of one group waited for an answer. Times are milliseconds, null when there is none. */
export interface ResponseSum {
  readonly answer: 'acknowledge' | 'resolve'
  /** In the order of the columns. */
  readonly keys: readonly (string | number | null)[]
  readonly raised: number
  readonly count: number
  readonly meanMs: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

/** Answers in SQL, in their order. */
const ACKNOWLEDGE = 1
const RESOLVE = 2

/**
 * Reckons how long anomalies raised in a range waited, two rows a group, ordered by groups, none first. Percentiles are
 * nearest-rank: the least time that so many of a hundred do not exceed. A clock that runs ahead makes no time below 0.
 */
export async function reckonResponses(
  db: Db,
  {
    spaceId,
    range,
    by,
    limit,
  }: { spaceId: string; range: TimeRange; by: readonly GroupColumn[]; limit: number },
): Promise<ResponseSum[]> {
  const groups = [...by, 'answer'].join(', ')
  const columns = sql.raw(groups)
  // No more than that, and `answer` as a number: what is carried through a window is written down for each row.
  const carried = sql.raw(by.map(column => `${column}, `).join(''))
  const [rows] = (await tellDeadline(
    db.execute(sql`
    ${STATEMENT_OF_DEADLINE} WITH raised AS (
      SELECT ${carried} ${msOfId('id')} AS raised_ms, ${msOfMoment('acknowledged_at')} AS acknowledged_ms,
        ${msOfMoment('resolved_at')} AS resolved_ms
      FROM anomaly FORCE INDEX (anomaly_space)
      WHERE space_id = ${spaceId} AND id >= ${idLowerBound(range.fromMs)} AND id < ${idLowerBound(range.toMs)}
    ), waiting AS (
      SELECT ${carried} ${ACKNOWLEDGE} AS answer, GREATEST(0, acknowledged_ms - raised_ms) AS ms FROM raised
      UNION ALL
      SELECT ${carried} ${RESOLVE}, GREATEST(0, resolved_ms - raised_ms) FROM raised
    ), ranked AS (
      SELECT ${columns}, ms, ROW_NUMBER() OVER (PARTITION BY ${columns} ORDER BY ms IS NULL, ms) AS place,
        COUNT(ms) OVER (PARTITION BY ${columns}) AS answered
      FROM waiting
    )
    ${SELECT_OF_DEADLINE} ${columns}, COUNT(*) AS raised, COUNT(ms) AS answered, AVG(ms) AS mean_ms,
      MIN(IF(place * 100 >= answered * 50, ms, NULL)) AS p50_ms,
      MIN(IF(place * 100 >= answered * 95, ms, NULL)) AS p95_ms
    FROM ranked GROUP BY ${columns} ORDER BY ${columns} LIMIT ${limit}`),
    REPORT_ADVICE,
  )) as unknown as [Record<string, string | number | null>[]]
  const numberOf = (value: string | number | null | undefined) => (value == null ? null : Number(value))
  return rows.map(row => ({
    answer: Number(row.answer) === RESOLVE ? 'resolve' : 'acknowledge',
    keys: by.map(column => row[column] ?? null),
    raised: Number(row.raised),
    count: Number(row.answered),
    meanMs: numberOf(row.mean_ms),
    p50Ms: numberOf(row.p50_ms),
    p95Ms: numberOf(row.p95_ms),
  }))
}
