import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { selectBranches } from '../shared/mysql/select-branches.ts'
import type { DeviceStatus } from './resolver-types.generated.ts'

const MINUTE_MS = 60_000

/** A change of status. Times are epoch milliseconds. */
export interface StatusChangeRow {
  readonly kind: 'StatusChange'
  readonly at: number
  readonly status: DeviceStatus
}

/** What a metric was in a minute; `at` is its beginning. */
export interface MetricSampleRow {
  readonly kind: 'MetricSample'
  readonly at: number
  readonly key: string
  readonly last: number
  readonly min: number
  readonly max: number
}

/** An item of a device's history. */
export type StateHistoryRow = StatusChangeRow | MetricSampleRow

/** A piece of a history: its status changes by time, then its samples by metric and time. */
export interface StateHistoryRequest {
  readonly deviceId: string
  /** From the one on, up to before the other. */
  readonly fromMs: number
  readonly toMs: number
  /** Behind this item; null from the beginning on, which is the status that the device had at `fromMs`. */
  readonly after: { readonly isSample: boolean; readonly key: string; readonly at: number } | null
  readonly limit: number
}

interface Row {
  readonly metric: string | null
  readonly at: number | string
  readonly status: DeviceStatus | null
  readonly lastOne: number | null
  readonly lowest: number | null
  readonly highest: number | null
}

/**
 * Reads pieces of several histories in one statement: an answer for each request, in their order. Every part of a piece
 * walks its primary key and stops at the limit.
 */
export async function listStateHistories(
  db: Db,
  requests: readonly StateHistoryRequest[],
): Promise<StateHistoryRow[][]> {
  const parts = requests.flatMap((request, index) =>
    partsOf(request).map(selection => ({ index, selection })),
  )
  const rows = await selectBranches<Row>(
    db,
    parts.map(({ selection }) => selection),
  )
  const answers: StateHistoryRow[][] = requests.map(() => [])
  for (const [i, { index }] of parts.entries()) answers[index]?.push(...(rows[i] ?? []).map(toHistoryRow))
  return answers.map((answer, index) => answer.slice(0, requests[index]?.limit))
}

/** The selections of a piece, in its order. */
function partsOf({ deviceId, fromMs, toMs, after, limit }: StateHistoryRequest): SQL[] {
  const statuses = sql`NULL metric, at, status, NULL lastOne, NULL lowest, NULL highest
    FROM state_change WHERE device_id = ${deviceId}`
  const samples = sql`metric, minute at, NULL status, last_value lastOne, min_value lowest, max_value highest
    FROM metric_minute WHERE device_id = ${deviceId}
    AND minute >= ${Math.floor(fromMs / MINUTE_MS)} AND minute < ${Math.ceil(toMs / MINUTE_MS)}`
  const inSampleOrder = sql`ORDER BY metric, minute LIMIT ${limit}`
  if (after?.isSample) {
    const { key, at } = after
    const isBehind = sql`(metric > ${key} OR (metric = ${key} AND minute > ${at / MINUTE_MS}))`
    return [sql`${samples} AND ${isBehind} ${inSampleOrder}`]
  }
  const isBehind = after === null ? sql`at >= ${fromMs}` : sql`at > ${Math.max(after.at, fromMs - 1)}`
  const changes = sql`${statuses} AND ${isBehind} AND at < ${toMs} ORDER BY at LIMIT ${limit}`
  const before = sql`${statuses} AND at < ${fromMs} ORDER BY at DESC LIMIT 1`
  return [...(after === null ? [before] : []), changes, sql`${samples} ${inSampleOrder}`]
}

function toHistoryRow({ metric, at, status, lastOne, lowest, highest }: Row): StateHistoryRow {
  if (metric === null) return { kind: 'StatusChange', at: Number(at), status: status ?? 'UNKNOWN' }
  return {
    ...{ kind: 'MetricSample', key: metric, at: Number(at) * MINUTE_MS },
    ...{ last: Number(lastOne), min: Number(lowest), max: Number(highest) },
  }
}
