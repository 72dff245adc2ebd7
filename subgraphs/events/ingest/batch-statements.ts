import type { PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import type { LogItem, PresenceItem } from '../../../schema/ingest-entry.ts'
import type { DevicePlace } from '../../shared/device-directory.ts'
import { type ExistingRows, eventKey, type StatusChange } from './batch-plan.ts'
import { connectivityJson, stateJson } from './latest-values.ts'
import type { KnownPresence } from './presence-episodes.ts'
import { fenceValues, type OwnedShard, whereFenced } from './shard-leases.ts'

/** The statements of the writing transaction. `query` with `VALUES ?` is the fast form on MariaDB and MySQL both. */

/** Bytes of values about which an INSERT is divided; far below the smallest usual max_allowed_packet (16 MiB). */
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024

/** Bytes of a row of `log` besides its message and attributes. */
const ROW_OVERHEAD_BYTES = 300

/** Inserts logs. Fails with 1062 when one of them exists. */
export async function insertLogs(
  connection: PoolConnection,
  logs: readonly LogItem[],
  places: ReadonlyMap<string, DevicePlace>,
): Promise<void> {
  let rows: unknown[][] = []
  let bytes = 0
  for (const [index, log] of logs.entries()) {
    const place = places.get(log.deviceId)
    const attributes = log.attributes === undefined ? null : JSON.stringify(log.attributes)
    rows.push([
      log.spaceId,
      log.id,
      log.deviceId,
      place?.lineId ?? null,
      place?.processId ?? null,
      log.level,
      log.message,
      attributes,
      log.clockReplaced ? 1 : 0,
      toDatetime(log.receivedAt),
    ])
    bytes += ROW_OVERHEAD_BYTES + log.message.length + (attributes?.length ?? 0)
    if (bytes < MAX_STATEMENT_BYTES && index < logs.length - 1) continue
    await connection.query(
      'INSERT INTO log (space_id, id, device_id, line_id, process_id, level, message, attributes, clock_replaced, received_at) VALUES ?',
      [rows],
    )
    rows = []
    bytes = 0
  }
}

/** Finds which of these logs are in the table, and whose they are. One statement. */
export async function findExistingLogs(
  connection: Pick<PoolConnection, 'query'>,
  logs: readonly LogItem[],
): Promise<ExistingRows> {
  if (logs.length === 0) return new Map()
  const bySpace = Map.groupBy(logs, log => log.spaceId)
  const selects = Array.from(
    bySpace,
    () => '(SELECT space_id AS spaceId, id, device_id AS deviceId FROM log WHERE space_id = ? AND id IN (?))',
  )
  const values = Array.from(bySpace, ([spaceId, ofSpace]) => [spaceId, ofSpace.map(log => log.id)]).flat()
  const [rows] = await connection.query<RowDataPacket[]>(selects.join(' UNION ALL '), values)
  return new Map(rows.map(row => [eventKey({ spaceId: row.spaceId, id: row.id }), row.deviceId]))
}

/** Reads the presence of devices as it was last written. */
export async function selectPresence(
  connection: PoolConnection,
  deviceIds: readonly string[],
): Promise<Map<string, KnownPresence>> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT device_id, generation, online FROM device_status WHERE device_id IN (?)',
    [deviceIds],
  )
  return new Map(
    rows.map(row => [row.device_id, { generation: Number(row.generation), online: row.online === 1 }]),
  )
}

/** Inserts transitions. One whose id is there already is the same transition: it stays. */
export async function insertPresenceEvents(
  connection: PoolConnection,
  items: readonly PresenceItem[],
): Promise<void> {
  await connection.query(
    `INSERT INTO presence_event (space_id, id, device_id, kind) VALUES ?
     ON DUPLICATE KEY UPDATE device_id = presence_event.device_id`,
    [items.map(item => [item.spaceId, item.id, item.deviceId, item.online ? 'ONLINE' : 'OFFLINE'])],
  )
}

/**
 * Writes the newest of each device, each part only when it is newer than what is there. Rows are sorted by key, so
 * that two writers lock them in the same order. MySQL assigns from left to right: values before their times.
 */
export async function upsertStatuses(
  connection: PoolConnection,
  statuses: readonly StatusChange[],
  presence: ReadonlyMap<string, KnownPresence>,
): Promise<void> {
  const sorted = statuses.toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
  await connection.query(
    `INSERT INTO device_status
       (device_id, space_id, online, generation, last_seen_at, state, state_at, connectivity, connectivity_at)
     VALUES ?
     ON DUPLICATE KEY UPDATE
       space_id = VALUES(space_id),
       online = IF(VALUES(generation) > 0 AND VALUES(generation) >= generation, VALUES(online), online),
       generation = GREATEST(generation, VALUES(generation)),
       last_seen_at = GREATEST(COALESCE(last_seen_at, 0), VALUES(last_seen_at)),
       state = IF(VALUES(state) IS NOT NULL AND VALUES(state_at) >= state_at, VALUES(state), state),
       state_at = GREATEST(state_at, VALUES(state_at)),
       connectivity = IF(VALUES(connectivity) IS NOT NULL AND VALUES(connectivity_at) >= connectivity_at,
         VALUES(connectivity), connectivity),
       connectivity_at = GREATEST(connectivity_at, VALUES(connectivity_at))`,
    [
      sorted.map(({ deviceId, spaceId, lastSeenAt, state, connectivity }) => [
        deviceId,
        spaceId,
        presence.get(deviceId)?.online ? 1 : 0,
        presence.get(deviceId)?.generation ?? 0,
        lastSeenAt,
        state === undefined ? null : stateJson(state),
        state?.at ?? 0,
        connectivity === undefined ? null : connectivityJson(connectivity),
        connectivity?.at ?? 0,
      ]),
    ],
  )
}

/** Moves the offsets of shards to `ends`; false when one of them is not ours any more: then roll back. */
export async function moveOffsets(
  connection: PoolConnection,
  shards: readonly OwnedShard[],
  ends: ReadonlyMap<number, string>,
): Promise<boolean> {
  const cases = shards.map(() => 'WHEN ? THEN ?').join(' ')
  const [result] = await connection.query<ResultSetHeader>(
    `UPDATE ingest_offset SET last_id = CASE shard ${cases} ELSE last_id END WHERE ${whereFenced(shards)}`,
    [...shards.flatMap(({ shard }) => [shard, ends.get(shard)]), ...fenceValues(shards)],
  )
  return result.affectedRows === shards.length
}

/** A moment as MySQL writes it, in UTC. */
function toDatetime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ')
}
