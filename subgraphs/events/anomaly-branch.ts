import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import { type AnomalySelection, SEVERITIES, STATUSES } from './anomaly-selection.ts'
import { inList, placeConditions, textConditions, timeConditions } from './event-conditions.ts'

/** What comes first in a list. */
export type AnomalyOrder = 'NEWEST' | 'LAST_OCCURRED' | 'SEVERITY'

/** Where a row stands in each order: `rank` is 1 for INFO to 4 for CRITICAL. */
export interface AnomalyKey {
  readonly id: string
  readonly lastOccurrenceId?: string
  readonly rank?: number
}

/** A part of a selection, as conditions on the table `anomaly`, and the index to read it by. */
export interface AnomalyBranch {
  readonly index: SQL
  readonly conditions: readonly SQL[]
}

const OPEN = sql.raw('anomaly_open')
const DEVICE = sql.raw('anomaly_device')
const SPACE = sql.raw('anomaly_space')
const STATUS = sql.raw('anomaly_status')
const LAST = sql.raw('anomaly_last')
const SEVERITY = sql.raw('anomaly_severity')
const TYPE = sql.raw('anomaly_type')
const LINE = sql.raw('anomaly_line')
const PROCESS = sql.raw('anomaly_process')

/**
 * Splits what follows a key in a list into branches that share no row. In each its index holds the rows in the order
 * of the list, so a page of it is read without sorting, except where the rows of a device, line or process are read in
 * another order than NEWEST, and the unresolved ones of a device, of which there is one a type.
 *
 * What is no part of the index of a branch leaves out rows that are read. Of severity, status and type the index is that
 * by which few of them are: unresolved anomalies are few, most others are resolved.
 */
export function branchesOf(
  spaceId: string,
  selection: AnomalySelection,
  order: AnomalyOrder,
  key: AnomalyKey | null,
): AnomalyBranch[] {
  const { deviceIds, processId, severities, statuses, types } = selection
  const space = sql`space_id = ${spaceId}`
  const places = placeConditions(selection)
  const [severity, status, type] = attributeConditions(selection)
  const range = [...timeConditions(selection), ...textConditions(selection)]
  const rest = [...range, ...keyConditions(order, key)]
  if (deviceIds !== null) {
    const open = isUnresolved(selection) ? [sql`open_type IS NOT NULL`] : []
    const others = [...open, space, ...places, ...severity, ...status, ...type, ...rest]
    const index = isUnresolved(selection) ? OPEN : DEVICE
    return deviceIds.map(id => ({ index, conditions: [sql`device_id = ${id}`, ...others] }))
  }
  const ofStatuses = (index: SQL, others: readonly SQL[]): AnomalyBranch[] =>
    (statuses ?? STATUSES).map(one => ({
      index,
      conditions: [space, ...places, sql`status = ${one}`, ...others],
    }))
  const ofSeverities = (others: (rank: number) => readonly SQL[] | null): AnomalyBranch[] =>
    (severities ?? SEVERITIES).flatMap(one => {
      const rank = rankOf(one)
      const conditions = others(rank)
      return conditions === null
        ? []
        : ofStatuses(SEVERITY, [sql`severity_rank = ${rank}`, ...type, ...conditions])
    })
  if (places.length > 0) {
    const index = processId === null ? LINE : PROCESS
    const others = [...severity, ...type, ...rest]
    if (order === 'NEWEST') return ofStatuses(index, others)
    return [{ index, conditions: [space, ...places, ...inList('status', statuses ?? STATUSES), ...others] }]
  }
  if (order === 'LAST_OCCURRED') return ofStatuses(LAST, [...severity, ...type, ...rest])
  if (order === 'SEVERITY')
    return ofSeverities(rank => {
      const keyRank = key?.rank ?? Number.POSITIVE_INFINITY
      if (rank > keyRank) return null
      return rank === keyRank && key !== null ? [...range, sql`id < ${key.id}`] : range
    })
  if (types !== null && !isUnresolved(selection))
    return types.map(one => ({
      index: TYPE,
      conditions: [space, sql`type = ${one}`, ...severity, ...status, ...rest],
    }))
  if (severities !== null) return ofSeverities(() => rest)
  if (statuses !== null) return ofStatuses(STATUS, [...type, ...rest])
  return [{ index: SPACE, conditions: [space, ...rest] }]
}

/** The whole selection as one branch, for counting, where order does not matter. */
export function countBranchOf(spaceId: string, selection: AnomalySelection): AnomalyBranch {
  const { deviceIds, lineId, processId, severities, statuses, types } = selection
  const isDense = types !== null && !isUnresolved(selection)
  const index =
    deviceIds !== null
      ? isUnresolved(selection)
        ? OPEN
        : DEVICE
      : processId !== null
        ? PROCESS
        : lineId !== null
          ? LINE
          : isDense
            ? TYPE
            : severities !== null
              ? SEVERITY
              : statuses !== null
                ? STATUS
                : SPACE
  const [, , type] = attributeConditions(selection)
  const open = index === OPEN ? [sql`open_type IS NOT NULL`] : []
  // Named all where the index goes on behind them.
  const isBehind = [PROCESS, LINE, SEVERITY].includes(index)
  return {
    index,
    conditions: [
      ...inList('device_id', deviceIds),
      ...open,
      sql`space_id = ${spaceId}`,
      ...placeConditions(selection),
      ...inList('status', isBehind ? (statuses ?? STATUSES) : statuses),
      ...inList('severity_rank', severities?.map(rankOf) ?? null),
      ...type,
      ...timeConditions(selection),
      ...textConditions(selection),
    ],
  }
}

/** Rank of a severity: 1 for INFO to 4 for CRITICAL. */
export function rankOf(severity: (typeof SEVERITIES)[number]): number {
  return SEVERITIES.length - SEVERITIES.indexOf(severity)
}

function attributeConditions({ severities, statuses, types }: AnomalySelection): [SQL[], SQL[], SQL[]] {
  return [inList('severity', severities), inList('status', statuses), inList('type', types)]
}

/** Whether only such as are not resolved are selected. */
function isUnresolved({ statuses }: AnomalySelection): boolean {
  return statuses !== null && !statuses.includes('RESOLVED')
}

/** What follows a key, in the expanded form: databases read no range of an index for a comparison of rows. */
function keyConditions(order: AnomalyOrder, key: AnomalyKey | null): SQL[] {
  if (key === null) return []
  const { id, lastOccurrenceId, rank } = key
  if (order === 'LAST_OCCURRED')
    return [
      sql`last_occurrence_id <= ${lastOccurrenceId}`,
      sql`(last_occurrence_id < ${lastOccurrenceId} OR id < ${id})`,
    ]
  if (order === 'SEVERITY')
    return [sql`severity_rank <= ${rank}`, sql`(severity_rank < ${rank} OR id < ${id})`]
  return [sql`id < ${id}`]
}
