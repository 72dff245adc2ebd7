import type { PoolConnection } from 'mysql2/promise'
import type { AnomalyItem, LogItem } from '../../../schema/ingest-entry.ts'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { SEVERITIES } from '../../../schema/severity.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import type { Places } from './event-rows.ts'
import { insertInParts } from './insert-in-parts.ts'

/** Columns that tell a rollup's rows apart, and its counts, from the least severity to the greatest. */
interface Rollup {
  readonly key: readonly string[]
  readonly counts: readonly string[]
}

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const

const LEVEL_COUNTS = LEVELS.map(level => level.toLowerCase())
const SEVERITY_COUNTS = SEVERITIES.map(severity => severity.toLowerCase())
const COARSE_KEY = ['space_id', 'bucket', 'line_id', 'process_id']

/** The rollups by table, in the order in which all writers write them: those that several writers share come last. */
export const ROLLUPS = {
  log_rollup_fine: {
    key: ['space_id', 'bucket', 'device_id', 'line_id', 'process_id'],
    counts: LEVEL_COUNTS,
  },
  anomaly_rollup_fine: {
    key: ['space_id', 'bucket', 'device_id', 'type', 'line_id', 'process_id'],
    counts: SEVERITY_COUNTS,
  },
  anomaly_rollup_device: { key: ['space_id', 'bucket', 'device_id'], counts: SEVERITY_COUNTS },
  log_rollup_coarse: { key: COARSE_KEY, counts: LEVEL_COUNTS },
  anomaly_rollup_coarse: { key: COARSE_KEY, counts: SEVERITY_COUNTS },
} as const satisfies Record<string, Rollup>

/** Name of a rollup's table. */
export type RollupTable = keyof typeof ROLLUPS

/** A row to be added to a rollup: its key, then its counts. */
export type RollupRow = (string | number)[]

/** What events add to each rollup. Sorted by key: all writers lock rows in the same order. */
export type RollupRows = Readonly<Record<RollupTable, readonly RollupRow[]>>

/** Bytes of a row about; a type may have four bytes a character. */
const ROW_BYTES = 400

/**
 * Counts events by the quarter of an hour in which they occurred, however late they come. They must be new ones, and
 * `places` those that their rows are written with. Word that an anomaly is over is not an event to count.
 */
export function countEvents(
  { logs, anomalies }: { readonly logs: readonly LogItem[]; readonly anomalies: readonly AnomalyItem[] },
  places: Places,
): RollupRows {
  const fineLogs = createTally()
  const coarseLogs = createTally()
  const fineAnomalies = createTally()
  const deviceAnomalies = createTally()
  const coarseAnomalies = createTally()
  for (const log of logs) {
    const { spaceId, deviceId } = log
    const bucket = bucketOf(log)
    const level = LEVELS.indexOf(log.level)
    const { lineId, processId } = placeOf(places, deviceId)
    fineLogs.add(level, spaceId, bucket, deviceId, lineId, processId)
    coarseLogs.add(level, spaceId, bucket, lineId, processId)
  }
  for (const anomaly of anomalies) {
    if (anomaly.cleared) continue
    const { spaceId, deviceId, type } = anomaly
    const bucket = bucketOf(anomaly)
    const severity = SEVERITIES.indexOf(anomaly.severity)
    const { lineId, processId } = placeOf(places, deviceId)
    fineAnomalies.add(severity, spaceId, bucket, deviceId, type, lineId, processId)
    deviceAnomalies.add(severity, spaceId, bucket, deviceId)
    coarseAnomalies.add(severity, spaceId, bucket, lineId, processId)
  }
  return {
    log_rollup_fine: fineLogs.toSorted(),
    anomaly_rollup_fine: fineAnomalies.toSorted(),
    anomaly_rollup_device: deviceAnomalies.toSorted(),
    log_rollup_coarse: coarseLogs.toSorted(),
    anomaly_rollup_coarse: coarseAnomalies.toSorted(),
  }
}

/** Adds to the rollups, a statement for each that has rows. Nothing slow should follow before the commit. */
export async function addToRollups(connection: PoolConnection, rows: RollupRows): Promise<void> {
  for (const table of Object.keys(ROLLUPS) as RollupTable[]) {
    const { key, counts } = ROLLUPS[table]
    await insertInParts(
      connection,
      `INSERT INTO ${table} (${[...key, ...counts].join(', ')})`,
      rows[table],
      () => ROW_BYTES,
      `ON DUPLICATE KEY UPDATE ${counts.map(count => `${count} = ${count} + VALUES(${count})`).join(', ')}`,
    )
  }
}

/** Rows of one rollup as they grow. */
function createTally() {
  const rows = new Map<string, RollupRow>()
  return {
    /** Adds an event; `severity` is its place among the counts. */
    add(severity: number, ...key: RollupRow): void {
      const text = key.join(' ')
      let row = rows.get(text)
      if (row === undefined) {
        row = [...key, 0, 0, 0, 0]
        rows.set(text, row)
      }
      const column = row.length - SEVERITIES.length + severity
      row[column] = Number(row[column]) + 1
    },
    toSorted: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  }
}

function bucketOf({ id }: { readonly id: string }): number {
  return Math.floor(timeOfId(id) / ROLLUP_BUCKET_MS)
}

function placeOf(places: Places, deviceId: string) {
  const { lineId = null, processId = null } = places.get(deviceId) ?? {}
  return { lineId: lineId ?? NO_PLACE, processId: processId ?? NO_PLACE }
}
