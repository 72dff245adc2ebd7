import type { Connection, RowDataPacket } from 'mysql2/promise'
import { getTableConfig } from '../../../schema/mysql/drizzle.ts'
import {
  anomalyOccurrence,
  anomalyRollupCoarse,
  anomalyRollupDevice,
  anomalyRollupFine,
  log,
  logRollupCoarse,
  logRollupFine,
  metricMinute,
  presenceEvent,
  ROLLUP_BUCKET_MS,
  stateChange,
} from '../../../schema/mysql/ingest-tables.ts'
import { idLowerBound } from '../../shared/uuid-v7.ts'

type Key = readonly (string | number)[]

/** A table whose rows are kept for the retention of their space. */
export interface RetainedTable {
  readonly name: string
  /** The columns that its primary key begins with, and which hold the rows of one stretch of time. */
  readonly scope: readonly string[]
  /** The column of the primary key behind them, by which that stretch is ordered. */
  readonly position: string
  /** The position of a moment (epoch milliseconds): rows below it are wholly older. */
  readonly positionAt: (epochMs: number) => string | number
  /** The scopes of a space. */
  readonly scopesOf: (connection: Connection, spaceId: string) => Promise<Key[]>
  /** Is not partitioned: its rows are deleted for every space that it knows, existing or not. */
  readonly isWhole?: true
}

const ofSpace = async (_: Connection, spaceId: string): Promise<Key[]> => [[spaceId]]
const byId = { scope: ['space_id'], position: 'id', positionAt: idLowerBound, scopesOf: ofSpace } as const

const byBucket = {
  scope: ['space_id'],
  position: 'bucket',
  positionAt: (epochMs: number) => Math.floor(epochMs / ROLLUP_BUCKET_MS),
  scopesOf: ofSpace,
  isWhole: true,
} as const

/** What ingest writes for each event or report, and so grows for ever. */
export const RETAINED_TABLES: readonly RetainedTable[] = [
  { name: nameOf(log), ...byId },
  { name: nameOf(anomalyOccurrence), ...byId },
  { name: nameOf(presenceEvent), ...byId },
  {
    name: nameOf(stateChange),
    scope: ['device_id'],
    position: 'at',
    positionAt: epochMs => epochMs,
    scopesOf: listDevices,
  },
  {
    name: nameOf(metricMinute),
    scope: ['device_id', 'metric'],
    position: 'minute',
    positionAt: epochMs => Math.floor(epochMs / 60_000),
    scopesOf: listMetrics,
  },
  { name: nameOf(logRollupFine), ...byBucket },
  { name: nameOf(logRollupCoarse), ...byBucket },
  { name: nameOf(anomalyRollupFine), ...byBucket },
  { name: nameOf(anomalyRollupCoarse), ...byBucket },
  {
    ...byBucket,
    name: nameOf(anomalyRollupDevice),
    scope: ['space_id', 'device_id'],
    scopesOf: listCountedDevices,
  },
]

function nameOf(table: Parameters<typeof getTableConfig>[0]): string {
  return getTableConfig(table).name
}

async function listDevices(connection: Connection, spaceId: string): Promise<Key[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT id FROM device WHERE space_id = ?', [
    spaceId,
  ])
  return rows.map(({ id }) => [id])
}

/** Also those that exist no more. */
async function listCountedDevices(connection: Connection, spaceId: string): Promise<Key[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT DISTINCT device_id FROM anomaly_rollup_device WHERE space_id = ?',
    [spaceId],
  )
  return rows.map(({ device_id }) => [spaceId, device_id])
}

async function listMetrics(connection: Connection, spaceId: string): Promise<Key[]> {
  const keys: Key[] = []
  for (const [deviceId] of await listDevices(connection, spaceId)) {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT DISTINCT metric FROM metric_minute WHERE device_id = ?',
      [deviceId],
    )
    for (const { metric } of rows) keys.push([String(deviceId), metric])
  }
  return keys
}

/** Finds the spaces that a table has rows of. */
export async function listSpacesOf(connection: Connection, { name }: RetainedTable): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SELECT DISTINCT space_id FROM ??', [name])
  return rows.map(({ space_id }) => space_id)
}
