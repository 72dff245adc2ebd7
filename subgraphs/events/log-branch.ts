import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import { inList, placeConditions, textConditions, timeConditions } from './event-conditions.ts'
import type { LogSelection } from './log-selection.ts'

/** A part of a selection, as conditions on the table `log`, and the index to read it by. */
export interface LogBranch {
  readonly index: SQL
  readonly conditions: readonly SQL[]
}

const PRIMARY = sql.raw('PRIMARY')
const LOG_DEVICE = sql.raw('log_device')
const LOG_DEVICE_LEVEL = sql.raw('log_device_level')
const LOG_LEVEL = sql.raw('log_level')
const LOG_LINE = sql.raw('log_line')
const LOG_PROCESS = sql.raw('log_process')

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const

/** Branches of devices and levels; for more it is cheaper to read what a device's index holds and leave rows out. */
const MAX_LEVEL_BRANCHES = 100

/**
 * Splits a selection into branches that share no row: one a device and, for few of them, level; or else one a level of the process, the line or the
 * space, or else one. In each its index holds the rows in the order of ids, so a page of it is read without sorting.
 *
 * Levels of many devices, places of devices, the line of a process, and texts are no part of an index: rows that do not
 * match are read and left out.
 */
export function branchesOf(selection: LogSelection): LogBranch[] {
  const { spaceId, deviceIds, lineId, processId, levels } = selection
  const space = sql`space_id = ${spaceId}`
  const rest = [...timeConditions(selection), ...textConditions(selection)]
  if (deviceIds !== null) {
    const places = placeConditions(selection)
    if (levels !== null && deviceIds.length * levels.length <= MAX_LEVEL_BRANCHES)
      return deviceIds.flatMap(id =>
        levels.map(level => ({
          index: LOG_DEVICE_LEVEL,
          conditions: [sql`device_id = ${id}`, sql`level = ${level}`, space, ...places, ...rest],
        })),
      )
    const others = [...inList('level', levels), ...places, ...rest]
    return deviceIds.map(id => ({
      index: LOG_DEVICE,
      conditions: [sql`device_id = ${id}`, space, ...others],
    }))
  }
  if (lineId === null && processId === null && levels === null)
    return [{ index: PRIMARY, conditions: [space, ...rest] }]
  const places = placeConditions(selection)
  return (levels ?? LEVELS).map(level => ({
    index: indexOf(selection),
    conditions: [space, ...places, sql`level = ${level}`, ...rest],
  }))
}

/** The whole selection as one branch, for counting, where order does not matter. */
export function countBranchOf(selection: LogSelection): LogBranch {
  const { spaceId, deviceIds, lineId, processId, levels } = selection
  const isOfPlace = deviceIds === null && (lineId !== null || processId !== null)
  return {
    index: indexOf(selection),
    conditions: [
      sql`space_id = ${spaceId}`,
      ...inList('device_id', deviceIds),
      ...placeConditions(selection),
      // Named all, so that the ids behind the level in the index are bounded too.
      ...inList('level', isOfPlace ? (levels ?? LEVELS) : levels),
      ...timeConditions(selection),
      ...textConditions(selection),
    ],
  }
}

/** The index by which the fewest rows are read that do not match. */
function indexOf({ deviceIds, lineId, processId, levels }: LogSelection): SQL {
  if (deviceIds !== null) return levels === null ? LOG_DEVICE : LOG_DEVICE_LEVEL
  if (processId !== null) return LOG_PROCESS
  if (lineId !== null) return LOG_LINE
  return levels === null ? PRIMARY : LOG_LEVEL
}
