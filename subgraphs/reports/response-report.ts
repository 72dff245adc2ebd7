import type { Db } from '../shared/mysql/open-mysql.ts'
import { ANOMALIES } from './event-report.ts'
import { columnsOf, type Group, type GroupColumn } from './group-columns.ts'
import { readTimeRange } from './report-range.ts'
import { MAX_REPORT_ROWS, tooManyRows } from './report-rows.ts'
import { type ResponseSum, reckonResponses } from './response-repository.ts'

/** How long something took, over many; seconds, null when there are none. */
export interface ResponseTime {
  readonly count: number
  readonly meanSeconds: number | null
  readonly p50Seconds: number | null
  readonly p95Seconds: number | null
}

/** Answers to the anomalies of one group; what is not told apart is null. */
export interface ResponseRow {
  readonly lineId: string | null
  readonly processId: string | null
  readonly deviceId: string | null
  readonly type: string | null
  readonly severity: (typeof ANOMALIES.severities)[number] | null
  readonly raised: number
  readonly acknowledge: ResponseTime
  readonly resolve: ResponseTime
}

/** Answers to the anomalies that were raised in a range. */
export interface ResponseReport {
  readonly from: Date
  readonly to: Date
  readonly rows: readonly ResponseRow[]
}

const NO_TIME: ResponseTime = { count: 0, meanSeconds: null, p50Seconds: null, p95Seconds: null }

/** Tells how fast anomalies were answered: one statement. Throws BAD_USER_INPUT for a range or rows that are too much. */
export async function readResponseReport(
  db: Db,
  request: { spaceId: string; from: Date; to: Date; groupBy: readonly Group[] },
): Promise<ResponseReport> {
  const range = readTimeRange(request.from, request.to)
  const by = columnsOf(request.groupBy)
  // Each group is two of its rows.
  const limit = 2 * MAX_REPORT_ROWS + 1
  const sums = await reckonResponses(db, { spaceId: request.spaceId, range, by, limit })
  if (sums.length === limit) throw tooManyRows()
  const groups = new Map<string, ResponseSum[]>(by.length === 0 ? [['[]', []]] : [])
  for (const sum of sums) {
    const name = JSON.stringify(sum.keys)
    groups.set(name, [...(groups.get(name) ?? []), sum])
  }
  return { from: request.from, to: request.to, rows: [...groups.values()].map(group => toRow(by, group)) }
}

/** The row of one group, of which there are both answers, or none where nothing was raised at all. */
function toRow(by: readonly GroupColumn[], group: readonly ResponseSum[]): ResponseRow {
  const [first] = group
  const keyOf = (column: GroupColumn) => first?.keys[by.indexOf(column)] ?? null
  const idOf = (column: GroupColumn) => {
    const key = keyOf(column)
    return key === null ? null : String(key)
  }
  const rank = keyOf('severity_rank')
  return {
    lineId: idOf('line_id'),
    processId: idOf('process_id'),
    deviceId: idOf('device_id'),
    type: idOf('type'),
    severity: rank === null ? null : (ANOMALIES.severities[Number(rank) - 1] ?? null),
    raised: first?.raised ?? 0,
    acknowledge: toTime(group.find(sum => sum.answer === 'acknowledge')),
    resolve: toTime(group.find(sum => sum.answer === 'resolve')),
  }
}

function toTime(sum: ResponseSum | undefined): ResponseTime {
  if (sum === undefined) return NO_TIME
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)
  return {
    count: sum.count,
    meanSeconds: seconds(sum.meanMs),
    p50Seconds: seconds(sum.p50Ms),
    p95Seconds: seconds(sum.p95Ms),
  }
}
