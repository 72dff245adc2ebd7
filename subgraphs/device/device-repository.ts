import { device } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray, isNotNull, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { DeviceParent } from './model.ts'

const COLUMNS = {
  id: device.id,
  spaceId: device.spaceId,
  lineId: device.lineId,
  processId: device.processId,
  code: device.code,
  name: device.name,
  model: device.model,
  createdAt: device.createdAt,
  removed: device.removed,
  version: device.version,
}

/** Finds devices by id, removed ones too: their past keeps their name. */
export async function findDevices(db: Db, ids: readonly string[]): Promise<DeviceParent[]> {
  return db.select(COLUMNS).from(device).where(inArray(device.id, ids))
}

/** Finds where devices stand, removed ones too. */
export async function findDevicePlaces(
  db: Db,
  ids: readonly string[],
): Promise<Pick<DeviceParent, 'id' | 'spaceId' | 'lineId' | 'processId'>[]> {
  return db
    .select({ id: device.id, spaceId: device.spaceId, lineId: device.lineId, processId: device.processId })
    .from(device)
    .where(inArray(device.id, ids))
}

/** Finds a device that has not been removed by its code. */
export async function findDeviceByCode(
  db: Db,
  { spaceId, code }: { spaceId: string; code: string },
): Promise<DeviceParent | undefined> {
  const [row] = await db
    .select(COLUMNS)
    .from(device)
    .where(and(eq(device.spaceId, spaceId), eq(device.liveCode, code)))
  return row
}

/** Adds devices. Rejects with ER_DUP_ENTRY when a code is taken in its space. */
export async function insertDevices(db: Db, rows: (typeof device.$inferInsert)[]): Promise<void> {
  await db.insert(device).values(rows)
}

/** Finds those of the codes that devices of the space have. */
export async function findCodes(db: Db, spaceId: string, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await db
    .select({ code: device.liveCode })
    .from(device)
    .where(and(eq(device.spaceId, spaceId), inArray(device.liveCode, codes)))
  return new Set(rows.flatMap(({ code }) => (code === null ? [] : [code])))
}

/** Counts the devices of a space that have not been removed. */
export async function countDevicesOfSpace(db: Db, spaceId: string): Promise<number> {
  return db.$count(device, and(eq(device.spaceId, spaceId), isNotNull(device.liveCode)))
}

/** Changes a device, and raises its version. Rejects with ER_DUP_ENTRY when its new code is taken in its space. */
export async function updateDevice(
  db: Db,
  id: string,
  changes: Partial<Pick<DeviceParent, 'code' | 'name' | 'model' | 'lineId' | 'processId' | 'removed'>>,
): Promise<void> {
  await db
    .update(device)
    .set({ ...changes, version: sql`${device.version} + 1` })
    .where(eq(device.id, id))
}
