import type { Pool } from 'mysql2/promise'
import { createSecret, digestSecret } from '../../subgraphs/device/opaque-secret.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'

/** Lines of a factory, and processes: the seed has so many. */
const PLACES = 4

/** A space with its people and devices. */
export interface FactoryRows {
  readonly spaceId: string
  /** Viewers. */
  readonly userIds: readonly string[]
  readonly devices: readonly FactoryDevice[]
}

/** A device, what it connects with, and where it stands. */
export interface FactoryDevice {
  readonly deviceId: string
  readonly credential: string
  readonly lineId: string
  readonly processId: string
}

/** Writes a space with people, lines, a process on each, and devices on them in turn. */
export async function addFactoryRows(
  pool: Pool,
  { users, devices: count }: { users: number; devices: number },
): Promise<FactoryRows> {
  const [spaceId, now] = [newId(), new Date()]
  const places = Array.from({ length: PLACES }, () => ({ lineId: newId(), processId: newId() }))
  const userIds = Array.from({ length: users }, newId)
  const devices = Array.from({ length: count }, (_, i) => ({
    deviceId: newId(),
    credential: createSecret(),
    lineId: places[i % PLACES]?.lineId ?? '',
    processId: places[i % PLACES]?.processId ?? '',
  }))
  const insert = (into: string, rows: unknown[][]) => pool.query(`INSERT INTO ${into} VALUES ?`, [rows])
  await insert('space (id, name, timezone, created_at)', [[spaceId, 'North hall', 'UTC', now]])
  await insert(
    'membership (space_id, user_id, role, joined_at)',
    userIds.map(userId => [spaceId, userId, 'VIEWER', now]),
  )
  await insert(
    'line (id, space_id, name, position)',
    places.map(({ lineId }, i) => [lineId, spaceId, `Line ${i + 1}`, i]),
  )
  await insert(
    'process (id, space_id, line_id, name, position)',
    places.map(({ lineId, processId }, i) => [processId, spaceId, lineId, `Step ${i + 1}`, i]),
  )
  await insert(
    'device (id, space_id, line_id, process_id, code, name, created_at)',
    devices.map(({ deviceId, lineId, processId }, i) => {
      return [deviceId, spaceId, lineId, processId, `CELL-${i + 1}`, `Press brake ${i + 1}, north hall`, now]
    }),
  )
  await insert(
    'device_credential (digest, device_id, created_at)',
    devices.map(({ deviceId, credential }) => [digestSecret(credential), deviceId, now]),
  )
  return { spaceId, userIds, devices }
}
