import type { PoolConnection, RowDataPacket } from 'mysql2/promise'
import type { AnomalyItem, EventItem, LogItem } from '../../../schema/ingest-entry.ts'
import type { DevicePlace } from '../../shared/device-directory.ts'
import { type ExistingRows, eventKey } from './batch-plan.ts'
import { insertInParts } from './insert-in-parts.ts'

/** The rows of events, which are inserted once and never changed. */

/** Where devices stand, by device id. */
export type Places = ReadonlyMap<string, DevicePlace>

/** Table of the events of a kind. */
export const EVENT_TABLES = { log: 'log', anomaly: 'anomaly_occurrence' } as const

/** Bytes of a row besides its message and attributes. */
export const ROW_OVERHEAD_BYTES = 400

/** Inserts logs. Fails with 1062 when one of them exists. */
export async function insertLogs(
  connection: PoolConnection,
  logs: readonly LogItem[],
  places: Places,
): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO log (space_id, id, device_id, line_id, process_id, level, message, attributes, clock_replaced, received_at)',
    logs.map(log => {
      const place = places.get(log.deviceId)
      return [
        log.spaceId,
        log.id,
        log.deviceId,
        place?.lineId ?? null,
        place?.processId ?? null,
        log.level,
        log.message,
        toJson(log.attributes),
        log.clockReplaced ? 1 : 0,
        toDatetime(log.receivedAt),
      ]
    }),
    ([, , , , , , message, attributes]) => ROW_OVERHEAD_BYTES + lengthOf(message) + lengthOf(attributes),
  )
}

/**
 * Inserts occurrences of anomalies, and word that such are over, with the anomaly that they joined or ended. Fails with
 * 1062 when one of them exists.
 */
export async function insertOccurrences(
  connection: PoolConnection,
  anomalies: readonly AnomalyItem[],
  places: Places,
  anomalyIds: ReadonlyMap<AnomalyItem, string>,
): Promise<void> {
  await insertInParts(
    connection,
    'INSERT INTO anomaly_occurrence (space_id, id, device_id, line_id, process_id, type, severity, message, score, attributes, cleared, clock_replaced, received_at, anomaly_id)',
    anomalies.map(anomaly => {
      const place = places.get(anomaly.deviceId)
      return [
        anomaly.spaceId,
        anomaly.id,
        anomaly.deviceId,
        place?.lineId ?? null,
        place?.processId ?? null,
        anomaly.type,
        anomaly.severity,
        anomaly.message ?? null,
        anomaly.score ?? null,
        toJson(anomaly.attributes),
        anomaly.cleared ? 1 : 0,
        anomaly.clockReplaced ? 1 : 0,
        toDatetime(anomaly.receivedAt),
        anomalyIds.get(anomaly) ?? null,
      ]
    }),
    ([, , , , , type, , message, , attributes]) =>
      ROW_OVERHEAD_BYTES + lengthOf(type) + lengthOf(message) + lengthOf(attributes),
  )
}

/**
 * Finds which of these events are in their tables, and whose they are. An anomaly has the id of the occurrence that
 * opened it, in all spaces: that id is taken, too. One statement.
 */
export async function findExistingEvents(
  connection: Pick<PoolConnection, 'query'>,
  events: readonly EventItem[],
): Promise<ExistingRows> {
  if (events.length === 0) return new Map()
  const groups = [...Map.groupBy(events, ({ kind, spaceId }) => kind + spaceId).values()]
  const selects = groups.map(([first]) => {
    const kind = first?.kind ?? 'log'
    return `(SELECT '${kind}' AS kind, space_id AS spaceId, id, device_id AS deviceId
      FROM ${EVENT_TABLES[kind]} WHERE space_id = ? AND id IN (?))`
  })
  const values = groups.flatMap(group => [group[0]?.spaceId, group.map(({ id }) => id)])
  const anomalies = events.filter(({ kind }) => kind === 'anomaly')
  if (anomalies.length > 0) {
    selects.push("(SELECT 'opened' AS kind, space_id, id, device_id FROM anomaly WHERE id IN (?))")
    values.push(anomalies.map(({ id }) => id))
  }
  const [rows] = await connection.query<RowDataPacket[]>(selects.join(' UNION ALL '), values)
  const opened = new Map(rows.flatMap(row => (row.kind === 'opened' ? [[row.id, row.deviceId]] : [])))
  const existing = new Map<string, string>()
  for (const item of anomalies) if (opened.has(item.id)) existing.set(eventKey(item), opened.get(item.id))
  for (const { kind, spaceId, id, deviceId } of rows)
    if (kind !== 'opened') existing.set(eventKey({ kind, spaceId, id }), deviceId)
  return existing
}

/** Attributes as JSON text. */
export function toJson(attributes: object | null | undefined): string | null {
  return attributes ? JSON.stringify(attributes) : null
}

/** Characters of a value that is text, 0 of any other. */
export function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0
}

/** A moment as MySQL writes it, in UTC. */
export function toDatetime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ')
}
