import { device, deviceCredential, space } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray, isNull } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** A device that may connect. */
export interface ActiveDevice {
  readonly deviceId: string
  readonly spaceId: string
}

/** A credential that is good, with its device. */
export interface ActiveCredential extends ActiveDevice {
  readonly digest: Buffer
}

/** Finds those of the digests that are credentials in force of devices that have not been removed, nor their spaces. */
export async function findActiveCredentials(db: Db, digests: readonly Buffer[]): Promise<ActiveCredential[]> {
  return db
    .select({ digest: deviceCredential.digest, deviceId: device.id, spaceId: device.spaceId })
    .from(deviceCredential)
    .innerJoin(device, eq(device.id, deviceCredential.deviceId))
    .innerJoin(space, eq(space.id, device.spaceId))
    .where(
      and(
        inArray(deviceCredential.digest, digests),
        isNull(deviceCredential.revokedAt),
        eq(device.removed, false),
        isNull(space.deletedAt),
      ),
    )
}

/** Finds those of the devices that have not been removed, nor their spaces. */
export async function findActiveDevices(db: Db, deviceIds: readonly string[]): Promise<ActiveDevice[]> {
  return db
    .select({ deviceId: device.id, spaceId: device.spaceId })
    .from(device)
    .innerJoin(space, eq(space.id, device.spaceId))
    .where(and(inArray(device.id, deviceIds), eq(device.removed, false), isNull(space.deletedAt)))
}

/** Adds credentials. */
export async function insertCredentials(
  db: Db,
  rows: { digest: Buffer; deviceId: string; createdAt: Date }[],
): Promise<void> {
  await db.insert(deviceCredential).values(rows)
}
