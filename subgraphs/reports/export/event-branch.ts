import type { ExportRequest } from './export-request.ts'

/** A part of the wanted events as a condition, and the index that holds it in the order of ids. */
export interface EventBranch {
  readonly table: 'log' | 'anomaly_occurrence'
  readonly index: string
  readonly where: string
  readonly values: readonly unknown[]
}

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const

/** A condition with the values of its question marks. */
type Condition = readonly [sql: string, ...values: unknown[]]

/**
 * Splits the events of a request into branches that share none: one a device, or, of logs, one a level of the process,
 * the line or the space, or else one. The range is left to whoever reads them. What no index holds is read and left out.
 */
export function branchesOf(request: ExportRequest): EventBranch[] {
  return request.kind === 'LOGS' ? branchesOfLogs(request) : branchesOfAnomalies(request)
}

function branchesOfLogs(request: ExportRequest): EventBranch[] {
  const { spaceId, deviceIds, lineId, processId, levels } = request
  const space = ['space_id = ?', spaceId] as const
  const make = (index: string, ...conditions: Condition[]) => toBranch('log', index, conditions)
  if (deviceIds !== null) {
    const others = [...isIn('level', levels), ...isAt(request)]
    return deviceIds.map(id => make('log_device', ['device_id = ?', id], space, ...others))
  }
  if (lineId === null && processId === null && levels === null) return [make('PRIMARY', space)]
  const index = processId !== null ? 'log_process' : lineId !== null ? 'log_line' : 'log_level'
  return (levels ?? LEVELS).map(level => make(index, space, ...isAt(request), ['level = ?', level]))
}

function branchesOfAnomalies(request: ExportRequest): EventBranch[] {
  const { spaceId, deviceIds, severities, types } = request
  const make = (index: string, ...conditions: Condition[]) =>
    toBranch('anomaly_occurrence', index, conditions)
  // Word that an anomaly is over is no occurrence.
  const others = [['cleared = 0'], ...isIn('severity', severities), ...isIn('type', types), ...isAt(request)]
  const all = [['space_id = ?', spaceId], ...others] as Condition[]
  if (deviceIds === null) return [make('PRIMARY', ...all)]
  return deviceIds.map(id => make('anomaly_occurrence_device', ['device_id = ?', id], ...all))
}

function isAt({ lineId, processId }: ExportRequest): Condition[] {
  return [
    ...(lineId === null ? [] : [['line_id = ?', lineId] as const]),
    ...(processId === null ? [] : [['process_id = ?', processId] as const]),
  ]
}

function isIn(column: string, values: readonly string[] | null): Condition[] {
  return values === null ? [] : [[`${column} IN (?)`, [...values]]]
}

function toBranch(table: EventBranch['table'], index: string, conditions: readonly Condition[]): EventBranch {
  return {
    table,
    index,
    where: conditions.map(([sql]) => sql).join(' AND '),
    values: conditions.flatMap(([, ...values]) => values),
  }
}
