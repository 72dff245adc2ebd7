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
 * Reads the anomalies that items may join or end, and locks them until the end of the transaction. One statement, two
 * when there are such, three when something comes late. Only rows of the primary key are locked, in its order, as people's
 * changes do: then nobody waits in a circle here. Two who make one of the same kind unresolved at once, a writer that opens
 * and a person who reopens, may: the check of the unique `anomaly_open` locks gaps at READ COMMITTED too. The database
 * ends one of them, and both run again what was ended. What is resolved or reopened between finding and locking is judged as it is
 * then; one that is opened is met when another one of its kind is inserted.
 */
export async function lockAnomalies(
  connection: PoolConnection,
  items: readonly AnomalyItem[],
): Promise<AnomalyState[]> {
  if (items.length === 0) return []
  const kinds = gatherKinds(items)
  const [newest] = await connection.query<RowDataPacket[]>(FIND_NEWEST, [
    JSON.stringify(kinds.map(({ deviceId, type }) => [deviceId, type])),
  ])
  const ids = newest.flatMap(({ unresolved }) => unresolved ?? [])
  const late = newest.flatMap(({ place, resolvedAt }) => {
    const kind = kinds[place - 1]
    return kind && resolvedAt?.getTime() >= kind.since ? kind : []
  })
  if (late.length > 0) {
    const { sql, values } = findResolved(late)
    const [found] = await connection.query<RowDataPacket[]>(sql, values)
    ids.push(...found.map(({ id }) => id))
  }
  if (ids.length === 0) return []
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT ${ANOMALY_COLUMNS} FROM anomaly FORCE INDEX (PRIMARY) WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [ids.toSorted()],
  )
  return rows.map(toAnomalyState)
}

/** What is wrong with a device, and when that occurs; never between the two when only its end is told. */
export interface AnomalyKind {
  readonly deviceId: string
  readonly type: string
  /** Epoch milliseconds of the first and of the last occurrence. */
  readonly since: number
  readonly until: number
}

function gatherKinds(items: readonly AnomalyItem[]): AnomalyKind[] {
  const kinds = new Map<string, AnomalyKind>()
  for (const item of items) {
    const key = anomalyKey(item)
    const { deviceId, type, since, until } = kinds.get(key) ?? {
      ...{ deviceId: item.deviceId, type: item.type.toWellFormed() },
      ...{ since: Number.POSITIVE_INFINITY, until: 0 },
    }
    const at = timeOfId(item.id)
    const times = item.cleared ? { since, until } : { since: Math.min(since, at), until: Math.max(until, at) }
    kinds.set(key, { deviceId, type, ...times })
  }
  return [...kinds.values()]
}

/**
 * Finds the unresolved one of each kind, and when another one of it was resolved last. Two reads of an index for each
 * kind, however many there are; alternatives joined by OR take the planner longer than the reading.
 */
export const FIND_NEWEST = `SELECT kind.place,
    (SELECT id FROM anomaly FORCE INDEX (anomaly_open)
     WHERE device_id = kind.device AND open_type = kind.type) AS unresolved,
    (SELECT resolved_at FROM anomaly FORCE INDEX (anomaly_kind)
     WHERE device_id = kind.device AND anomaly.type = kind.type ORDER BY resolved_at DESC LIMIT 1) AS resolvedAt
  FROM JSON_TABLE(?, '$[*]' COLUMNS (
    place FOR ORDINALITY,
    device CHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]',
    type VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[1]')) AS kind`

/** The statement that finds resolved ones within whose life occurrences may lie. */
export function findResolved(kinds: readonly AnomalyKind[]): { sql: string; values: unknown[] } {
  return {
    sql: `SELECT id FROM anomaly FORCE INDEX (anomaly_kind)
      WHERE ${kinds.map(() => '(device_id = ? AND type = ? AND resolved_at >= ? AND id < ?)').join(' OR ')}
      LIMIT ${MAX_RESOLVED}`,
    values: kinds.flatMap(({ deviceId, type, since, until }) => {
      return [deviceId, type, toDatetime(since), idLowerBound(until + 1)]
    }),
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
