import { inArray } from '../../schema/mysql/drizzle.ts'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** The newest of a device as it is kept on disk. */
export type DeviceStatusRow = typeof deviceStatus.$inferSelect

/** Finds what is kept of devices; one that has never connected is missing from the answer. */
export async function findDeviceStatuses(db: Db, deviceIds: readonly string[]): Promise<DeviceStatusRow[]> {
  return db.select().from(deviceStatus).where(inArray(deviceStatus.deviceId, deviceIds))
}
