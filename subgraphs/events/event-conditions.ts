import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { EventSelection } from './event-selection.ts'

/** Joins conditions that hold at once. */
export function and(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql.raw(' AND '))
}

/** Line and process of a selection, as conditions. */
export function placeConditions({ lineId, processId }: EventSelection): SQL[] {
  return [
    ...(lineId === null ? [] : [sql`line_id = ${lineId}`]),
    ...(processId === null ? [] : [sql`process_id = ${processId}`]),
  ]
}

/** The time of a selection, as conditions on ids. */
export function timeConditions({ fromId, toId }: EventSelection): SQL[] {
  return [...(fromId === null ? [] : [sql`id >= ${fromId}`]), ...(toId === null ? [] : [sql`id < ${toId}`])]
}

/** LOWER, as the columns compare bytes: a collation that ignores case would take é for e as well. */
export function textConditions({ text }: EventSelection): SQL[] {
  if (text === null) return []
  const pattern = `%${text.replaceAll(/[!%_]/g, '!$&')}%`
  return [sql`LOWER(message) LIKE LOWER(${pattern}) ESCAPE '!'`]
}

/** The values that a column may have; null is any. */
export function inList(column: string, values: readonly (string | number)[] | null): SQL[] {
  if (values === null) return []
  const list = sql.join(
    values.map(value => sql`${value}`),
    sql.raw(', '),
  )
  return [sql`${sql.raw(column)} IN (${list})`]
}
