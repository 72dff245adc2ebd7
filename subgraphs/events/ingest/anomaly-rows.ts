import type { PoolConnection, RowDataPacket } from 'mysql2/promise'
import type { AnomalyItem } from '../../../schema/ingest-entry.ts'
import type { AnomalyState } from '../../../schema/live-event.ts'
import { idLowerBound, newId, timeOfId } from '../../shared/uuid-v7.ts'
import { anomalyKey, type DeviceStep } from './anomaly-lifecycle.ts'
import { lengthOf, ROW_OVERHEAD_BYTES, toDatetime, toJson } from './event-rows.ts'
import { insertInParts } from './insert-in-parts.ts'

/**
 * Resolved anomalies that a batch looks at for occurrences that come late, at most. What lies in the life of others
 * counts as if it did not.
 */
const MAX_RESOLVED = 500

/** Columns of `anomaly` as toAnomalyState reads them. */
export const ANOMALY_COLUMNS =
  'id, space_id AS spaceId, device_id AS deviceId, line_id AS lineId, process_id AS processId, type, severity, message, ' +
  'score, attributes, clock_replaced AS clockReplaced, received_at AS receivedAt, ' +
  'first_occurrence_id AS firstOccurrenceId, last_occurrence_id AS lastOccurrenceId, occurrences, status, ' +
  'acknowledged_at AS acknowledgedAt, acknowledged_by AS acknowledgedBy, ' +
  'resolved_at AS resolvedAt, resolved_by AS resolvedBy, version'

/**
 * Reads the anomalies that items may join or end, and locks them until the end of the transaction. Two statements, one
 * when there are none. Only rows of the primary key are locked, in its order, as people's changes do: then nobody waits
 * in a circle. What is resolved or reopened between the two is judged as it is then; one that is opened is met when
 * another one is inserted.
 */
export async function lockAnomalies(
  connection: PoolConnection,
  items: readonly AnomalyItem[],
): Promise<AnomalyState[]> {
  if (items.length === 0) return []
  const { sql, values } = candidatesQuery(items)
  const [found] = await connection.query<RowDataPacket[]>(sql, values)
  if (found.length === 0) return []
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (PRIMARY) WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [found.map(({ id }) => id).toSorted()],
  )
  return rows.map(toAnomalyState)
}

/** The statement that finds ids of the anomalies that items may join or end. Exported for its plan to be looked at. */
export function candidatesQuery(items: readonly AnomalyItem[]): { sql: string; values: unknown[] } {
  const kinds = new Map<string, { deviceId: string; type: string; since: number; until: number }>()
  for (const item of items) {
    const key = anomalyKey(item)
    const kind = kinds.get(key) ?? { ...item, since: Number.POSITIVE_INFINITY, until: 0 }
    kinds.set(key, kind)
    if (item.cleared) continue
    const at = timeOfId(item.id)
    kind.since = Math.min(kind.since, at)
    kind.until = Math.max(kind.until, at)
  }
  const all = [...kinds.values()]
  const occurring = all.filter(({ until }) => until > 0)
  const unresolved = {
    sql: `SELECT id FROM anomaly FORCE INDEX (anomaly_open)
      WHERE ${all.map(() => '(device_id = ? AND open_type = ?)').join(' OR ')}`,
    values: all.flatMap(({ deviceId, type }) => [deviceId, type]),
  }
  if (occurring.length === 0) return unresolved
  return {
    sql: `(${unresolved.sql}) UNION ALL (SELECT id FROM anomaly FORCE INDEX (anomaly_kind)
      WHERE ${occurring.map(() => '(device_id = ? AND type = ? AND resolved_at >= ? AND id < ?)').join(' OR ')}
      LIMIT ${MAX_RESOLVED})`,
    values: [
      ...unresolved.values,
      ...occurring.flatMap(({ deviceId, type, since, until }) => {
        return [deviceId, type, toDatetime(since), idLowerBound(until + 1)]
      }),
    ],
  }
}

/** Inserts anomalies. Fails with 1062 when another one of a device and type is unresolved, or has the id. */
export async function insertAnomalies(
  connection: PoolConnection,
  anomalies: readonly AnomalyState[],
): Promise<void> {
  await insertInParts(
    connection,
    `INSERT INTO anomaly (id, space_id, device_id, line_id, process_id, type, severity, message, score, attributes,
       clock_replaced, received_at, first_occurrence_id, last_occurrence_id, occurrences, status, resolved_at, version)`,
    anomalies.map(anomaly => [
      ...[anomaly.id, anomaly.spaceId, anomaly.deviceId, anomaly.lineId, anomaly.processId, anomaly.type],
      ...[anomaly.severity, anomaly.message, anomaly.score, toJson(anomaly.attributes)],
      ...[anomaly.clockReplaced ? 1 : 0, toDatetime(anomaly.receivedAt)],
      ...[anomaly.firstOccurrenceId, anomaly.lastOccurrenceId, anomaly.occurrences, anomaly.status],
      ...[anomaly.resolvedAt === null ? null : toDatetime(anomaly.resolvedAt), anomaly.version],
    ]),
    ([, , , , , , , message, , attributes]) =>
      2 * ROW_OVERHEAD_BYTES + lengthOf(message) + lengthOf(attributes),
  )
}

/** Writes what devices change of anomalies, which must be locked: they are there, so that nothing is inserted. */
export async function updateAnomalies(
  connection: PoolConnection,
  anomalies: readonly AnomalyState[],
): Promise<void> {
  await insertInParts(
    connection,
    `INSERT INTO anomaly (id, space_id, device_id, type, clock_replaced, received_at,
       severity, first_occurrence_id, last_occurrence_id, occurrences, status, resolved_at, resolved_by, version)`,
    anomalies.map(anomaly => [
      ...[anomaly.id, anomaly.spaceId, anomaly.deviceId, anomaly.type],
      ...[anomaly.clockReplaced ? 1 : 0, toDatetime(anomaly.receivedAt), anomaly.severity],
      ...[anomaly.firstOccurrenceId, anomaly.lastOccurrenceId, anomaly.occurrences, anomaly.status],
      ...[anomaly.resolvedAt === null ? null : toDatetime(anomaly.resolvedAt), anomaly.resolvedBy],
      anomaly.version,
    ]),
    () => 2 * ROW_OVERHEAD_BYTES,
    `ON DUPLICATE KEY UPDATE severity = VALUES(severity), first_occurrence_id = VALUES(first_occurrence_id),
       last_occurrence_id = VALUES(last_occurrence_id), occurrences = VALUES(occurrences), status = VALUES(status),
       resolved_at = VALUES(resolved_at), resolved_by = VALUES(resolved_by), version = VALUES(version)`,
  )
}

/** Writes down what devices did, as SYSTEM comments in that order. */
export async function insertSteps(connection: PoolConnection, steps: readonly DeviceStep[]): Promise<void> {
  const now = toDatetime(Date.now())
  await insertInParts(
    connection,
    'INSERT INTO anomaly_comment (id, anomaly_id, space_id, kind, step, body, created_at)',
    steps.map(({ step, anomaly, body }) => [
      ...[newId(), anomaly.id, anomaly.spaceId, 'SYSTEM', step, body, now],
    ]),
    () => ROW_OVERHEAD_BYTES,
  )
}

/** Reads a row of ANOMALY_COLUMNS. */
export function toAnomalyState(row: RowDataPacket): AnomalyState {
  const { attributes, clockReplaced, receivedAt, acknowledgedAt, resolvedAt } = row
  return {
    ...(row as AnomalyState),
    // MariaDB answers JSON as text, MySQL as a value.
    attributes: typeof attributes === 'string' ? JSON.parse(attributes) : attributes,
    clockReplaced: clockReplaced === 1,
    receivedAt: receivedAt.getTime(),
    acknowledgedAt: acknowledgedAt?.getTime() ?? null,
    resolvedAt: resolvedAt?.getTime() ?? null,
  }
}
