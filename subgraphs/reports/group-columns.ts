/** What rows of a report can be told apart by, in the order of rows, and the columns that say it. */
export const GROUP_COLUMNS = [
  ['LINE', 'line_id'],
  ['PROCESS', 'process_id'],
  ['DEVICE', 'device_id'],
  ['TYPE', 'type'],
  ['SEVERITY', 'severity_rank'],
] as const

/** What rows of a report can be told apart by. */
export type Group = (typeof GROUP_COLUMNS)[number][0]

/** A column that says what a row is told apart by. */
export type GroupColumn = (typeof GROUP_COLUMNS)[number][1]

/** Columns of the groups, in the order of rows, each once. */
export function columnsOf(groupBy: readonly Group[]): GroupColumn[] {
  return GROUP_COLUMNS.filter(([group]) => groupBy.includes(group)).map(([, column]) => column)
}
