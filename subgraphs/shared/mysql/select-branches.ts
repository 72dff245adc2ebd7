import { type SQL, sql } from '../../../schema/mysql/drizzle.ts'
import type { Db } from './open-mysql.ts'

const UNION_ALL = sql.raw(' UNION ALL ')

/**
 * Runs several selections of the same columns, each without its word SELECT, as branches of one statement. Answers the
 * rows of each, in the order of the selections. Moments are text: see parseMoment.
 */
export async function selectBranches<Row>(db: Db, selections: readonly SQL[]): Promise<Row[][]> {
  const branches = selections.map((selection, i) => sql`(SELECT ${sql.raw(String(i))} request, ${selection})`)
  const [rows] = await db.execute(sql.join(branches, UNION_ALL))
  const answers: Row[][] = selections.map(() => [])
  for (const { request, ...row } of rows as unknown as (Row & { request: number })[])
    answers[Number(request)]?.push(row as Row)
  return answers
}

/** Reads a moment as a bare statement answers it: `2026-01-31 08:00:00.000`. */
export function parseMoment(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}
