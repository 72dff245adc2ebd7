import { device } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { DeviceParent } from './model.ts'

/** Finds devices by id, removed ones too: their past keeps their name. */
export async function findDevices(db: Db, ids: readonly string[]): Promise<DeviceParent[]> {
  return db.select().from(device).where(inArray(device.id, ids))
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
    .select()
    .from(device)
    .where(and(eq(device.spaceId, spaceId), eq(device.code, code), eq(device.removed, false)))
  return row
}

/** Adds devices. Rejects with ER_DUP_ENTRY when a code is taken in its space. */
export async function insertDevices(db: Db, rows: (typeof device.$inferInsert)[]): Promise<void> {
  await db.insert(device).values(rows)
}
