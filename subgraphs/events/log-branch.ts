import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { LogSelection } from './log-selection.ts'

/** A part of a selection, as conditions on the table `log`, and the index to read it by. */
export interface LogBranch {
  readonly index: SQL
  readonly conditions: readonly SQL[]
}

const PRIMARY = sql.raw('PRIMARY')
const LOG_DEVICE = sql.raw('log_device')
const LOG_LEVEL = sql.raw('log_level')

/**
 * Splits a selection into branches that share no row: one a device, or else one a level, or else one. In each its index
 * holds the rows in the order of ids, so a page of it is read without sorting.
 *
 * Line and process, and levels of devices, are no part of an index: rows that do not match are read and left out.
 */
export function branchesOf(selection: LogSelection): LogBranch[] {
  const { spaceId, deviceIds, levels } = selection
  const space = sql`space_id = ${spaceId}`
  const rest = [...placeConditions(selection), ...timeConditions(selection)]
  if (deviceIds !== null) {
    return deviceIds.map(id => ({
      index: LOG_DEVICE,
      conditions: [sql`device_id = ${id}`, space, ...inList('level', levels), ...rest],
    }))
  }
  if (levels !== null) {
    return levels.map(level => ({ index: LOG_LEVEL, conditions: [space, sql`level = ${level}`, ...rest] }))
  }
  return [{ index: PRIMARY, conditions: [space, ...rest] }]
}

/** The whole selection as one branch, for counting, where order does not matter. */
export function countBranchOf(selection: LogSelection): LogBranch {
  const { spaceId, deviceIds, levels } = selection
  return {
    index: deviceIds !== null ? LOG_DEVICE : levels !== null ? LOG_LEVEL : PRIMARY,
    conditions: [
      sql`space_id = ${spaceId}`,
      ...inList('device_id', deviceIds),
      ...inList('level', levels),
      ...placeConditions(selection),
      ...timeConditions(selection),
    ],
  }
}

/** Joins conditions that hold at once. */
export function and(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql.raw(' AND '))
}

function placeConditions({ lineId, processId }: LogSelection): SQL[] {
  return [
    ...(lineId === null ? [] : [sql`line_id = ${lineId}`]),
    ...(processId === null ? [] : [sql`process_id = ${processId}`]),
  ]
}

function timeConditions({ fromId, toId }: LogSelection): SQL[] {
  return [...(fromId === null ? [] : [sql`id >= ${fromId}`]), ...(toId === null ? [] : [sql`id < ${toId}`])]
}

function inList(column: string, values: readonly string[] | null): SQL[] {
  if (values === null) return []
  const list = sql.join(
    values.map(value => sql`${value}`),
    sql.raw(', '),
  )
  return [sql`${sql.raw(column)} IN (${list})`]
}
