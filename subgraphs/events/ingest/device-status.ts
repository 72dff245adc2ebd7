import type { PoolConnection, RowDataPacket } from 'mysql2/promise'
import type { StateItem } from '../../../schema/ingest-entry.ts'
import type { StatusChange } from './batch-plan.ts'
import { insertInParts } from './insert-in-parts.ts'
import { connectivityJson, stateJson } from './latest-values.ts'
import type { KnownPresence } from './presence-episodes.ts'

/** What is written of a device. */
export interface KnownDevice extends KnownPresence {
  /** Of the newest state; null before the first. */
  readonly status: StateItem['status'] | null
  /** When that was reported, epoch milliseconds; 0 before the first. */
  readonly stateAt: number
}

/** Bytes of a row besides its state and connectivity. */
const ROW_OVERHEAD_BYTES = 300

/** Reads devices as they were last written, in one statement, none for none. One that never was is missing. */
export async function selectKnownDevices(
  connection: PoolConnection,
  deviceIds: readonly string[],
): Promise<Map<string, KnownDevice>> {
  if (deviceIds.length === 0) return new Map()
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT device_id, generation, online, status, state_at FROM device_status WHERE device_id IN (?)',
    [deviceIds],
  )
  return new Map(
    rows.map(row => [
      row.device_id,
      {
        generation: Number(row.generation),
        online: row.online === 1,
        status: row.status,
        stateAt: Number(row.state_at),
      },
    ]),
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
  await insertInParts(
    connection,
    `INSERT INTO device_status
       (device_id, space_id, online, generation, last_seen_at, status, state, state_at, connectivity, connectivity_at)`,
    sorted.map(({ deviceId, spaceId, lastSeenAt, state, connectivity }) => [
      deviceId,
      spaceId,
      presence.get(deviceId)?.online ? 1 : 0,
      presence.get(deviceId)?.generation ?? 0,
      lastSeenAt,
      state?.status ?? null,
      state === undefined ? null : stateJson(state),
      state?.at ?? 0,
      connectivity === undefined ? null : connectivityJson(connectivity),
      connectivity?.at ?? 0,
    ]),
    ([, , , , , , state]) => ROW_OVERHEAD_BYTES + (typeof state === 'string' ? state.length : 0),
    `ON DUPLICATE KEY UPDATE
       space_id = VALUES(space_id),
       online = IF(VALUES(generation) > 0 AND VALUES(generation) >= generation, VALUES(online), online),
       generation = GREATEST(generation, VALUES(generation)),
       last_seen_at = GREATEST(COALESCE(last_seen_at, 0), VALUES(last_seen_at)),
       status = IF(VALUES(state) IS NOT NULL AND VALUES(state_at) >= state_at, VALUES(status), status),
       state = IF(VALUES(state) IS NOT NULL AND VALUES(state_at) >= state_at, VALUES(state), state),
       state_at = GREATEST(state_at, VALUES(state_at)),
       connectivity = IF(VALUES(connectivity) IS NOT NULL AND VALUES(connectivity_at) >= connectivity_at,
         VALUES(connectivity), connectivity),
       connectivity_at = GREATEST(connectivity_at, VALUES(connectivity_at))`,
  )
}
