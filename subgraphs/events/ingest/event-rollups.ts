import type { PoolConnection } from 'mysql2/promise'
import type { EventItem } from '../../../schema/ingest-entry.ts'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import type { Places } from './event-rows.ts'
import { insertInParts } from './insert-in-parts.ts'

/** A row to be added to a rollup: its key in the order of the primary key, then the number of events. */
export type RollupRow = [...key: (string | number)[], total: number]

/** What events add to the rollups. Sorted by key: all writers lock rows in the same order. */
export interface RollupRows {
  readonly fine: readonly RollupRow[]
  readonly coarse: readonly RollupRow[]
}

/** Bytes of a row about; a type may have four bytes a character. */
const ROW_BYTES = 300

/**
 * Counts events by the quarter of an hour in which they occurred, however late they come. They must be new ones, and
 * `places` those that their rows are written with. Word that an anomaly is over is not an event to count.
 */
export function countEvents(events: readonly EventItem[], places: Places): RollupRows {
  const fine = new Map<string, RollupRow>()
  const coarse = new Map<string, RollupRow>()
  for (const event of events) {
    const { kind, spaceId, deviceId } = event
    if (kind === 'anomaly' && event.cleared) continue
    const bucket = Math.floor(timeOfId(event.id) / ROLLUP_BUCKET_MS)
    const severity = kind === 'log' ? event.level : event.severity
    const type = kind === 'log' ? '' : event.type
    const place = places.get(deviceId)
    const lineId = place?.lineId ?? NO_PLACE
    const processId = place?.processId ?? NO_PLACE
    const range = `${spaceId} ${kind} ${bucket} `
    const fineKey = `${range}${deviceId} ${severity} ${type}`
    if (!increment(fine.get(fineKey))) fine.set(fineKey, [spaceId, kind, bucket, deviceId, severity, type, 1])
    const coarseKey = `${range}${lineId} ${processId} ${severity}`
    if (!increment(coarse.get(coarseKey)))
      coarse.set(coarseKey, [spaceId, kind, bucket, lineId, processId, severity, 1])
  }
  return { fine: toSorted(fine), coarse: toSorted(coarse) }
}

/** Adds to the fine rollup. */
export async function addToFine(connection: PoolConnection, rows: readonly RollupRow[]): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO event_rollup_fine (space_id, kind, bucket, device_id, severity, type, total)',
    rows,
    () => ROW_BYTES,
    'ON DUPLICATE KEY UPDATE total = total + VALUES(total)',
  )
}

/** Adds to the coarse rollup. All writers of a space meet in its rows: nothing slow should follow before the commit. */
export async function addToCoarse(connection: PoolConnection, rows: readonly RollupRow[]): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO event_rollup_coarse (space_id, kind, bucket, line_id, process_id, severity, total)',
    rows,
    () => ROW_BYTES,
    'ON DUPLICATE KEY UPDATE total = total + VALUES(total)',
  )
}

/** Adds an event to a row; false when there is none. */
function increment(row: RollupRow | undefined): boolean {
  if (row === undefined) return false
  row[row.length - 1] = Number(row.at(-1)) + 1
  return true
}

function toSorted(rows: ReadonlyMap<string, RollupRow>): RollupRow[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
