import { space } from '../../schema/mysql/device-tables.ts'
import { and, eq, isNull } from '../../schema/mysql/drizzle.ts'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** A device whose picture the table has for live. */
export interface LiveDevice {
  readonly deviceId: string
  readonly spaceId: string
}

/** Notes whether a device's picture is live; the row of one that has never connected is made. */
export async function writeBroadcasting(
  db: Db,
  { deviceId, spaceId }: LiveDevice,
  broadcasting: boolean,
): Promise<void> {
  await db
    .insert(deviceStatus)
    .values({ deviceId, spaceId, broadcasting })
    .onDuplicateKeyUpdate({ set: { broadcasting } })
}

/** Lists the devices that the table has for live, in all spaces. */
export async function listBroadcasting(db: Db): Promise<LiveDevice[]> {
  return await db
    .select({ deviceId: deviceStatus.deviceId, spaceId: deviceStatus.spaceId })
    .from(deviceStatus)
    .where(eq(deviceStatus.broadcasting, true))
}

/** Whether a space is there and not deleted. */
export async function hasSpace(db: Db, spaceId: string): Promise<boolean> {
  const rows = await db
    .select({ id: space.id })
    .from(space)
    .where(and(eq(space.id, spaceId), isNull(space.deletedAt)))
  return rows.length > 0
}
