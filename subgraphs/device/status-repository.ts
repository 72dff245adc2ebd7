import { and, asc, gt, inArray } from '../../schema/mysql/drizzle.ts'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** The newest of a device as it is kept on disk. */
export type DeviceStatusRow = typeof deviceStatus.$inferSelect

/** Finds what is kept of devices; one that has never connected is missing from the answer. */
export async function findDeviceStatuses(db: Db, deviceIds: readonly string[]): Promise<DeviceStatusRow[]> {
  return db.select().from(deviceStatus).where(inArray(deviceStatus.deviceId, deviceIds))
}

/** Presence of a device as it is kept on disk. Times are epoch milliseconds. */
export interface KeptPresenceRow {
  readonly deviceId: string
  readonly spaceId: string
  readonly generation: number
  readonly online: boolean
  readonly lastSeenAt: number
}

/** Lists devices that have ever connected, those after one in the order of their ids, `limit` at most. */
export async function listKeptPresences(db: Db, afterId: string, limit: number): Promise<KeptPresenceRow[]> {
  const { deviceId, spaceId, generation, online, lastSeenAt } = deviceStatus
  const rows = await db
    .select({ deviceId, spaceId, generation, online, lastSeenAt })
    .from(deviceStatus)
    .where(and(gt(deviceId, afterId), gt(generation, 0)))
    .orderBy(asc(deviceId))
    .limit(limit)
  return rows.map(row => ({ ...row, lastSeenAt: row.lastSeenAt ?? 0 }))
}
