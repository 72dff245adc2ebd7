import { device, deviceCredential, space } from '../../schema/mysql/device-tables.ts'
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** A device that may connect. */
export interface ActiveDevice {
  readonly deviceId: string
  readonly spaceId: string
}

/** A credential that is good, with its device. */
export interface ActiveCredential extends ActiveDevice {
  readonly digest: Buffer
  /** When it ends, as a newer one has taken its place. */
  readonly expiresAt: Date | null
}

/** A device that has not been removed, of a space that has not been deleted. */
export interface StandingDevice extends ActiveDevice {
  /** When a credential of it was revoked last. */
  readonly revokedAt: Date | null
}

const isGood = (at: Date) =>
  and(
    isNull(deviceCredential.revokedAt),
    or(isNull(deviceCredential.expiresAt), gt(deviceCredential.expiresAt, at)),
  )

const isStanding = () => and(eq(device.removed, false), isNull(space.deletedAt))

/** Finds those of the digests that are credentials in force of standing devices. */
export async function findActiveCredentials(db: Db, digests: readonly Buffer[]): Promise<ActiveCredential[]> {
  return db
    .select({
      digest: deviceCredential.digest,
      deviceId: device.id,
      spaceId: device.spaceId,
      expiresAt: deviceCredential.expiresAt,
    })
    .from(deviceCredential)
    .innerJoin(device, eq(device.id, deviceCredential.deviceId))
    .innerJoin(space, eq(space.id, device.spaceId))
    .where(and(inArray(deviceCredential.digest, digests), isGood(new Date()), isStanding()))
}

/** Finds those of the devices that stand. */
export async function findStandingDevices(db: Db, deviceIds: readonly string[]): Promise<StandingDevice[]> {
  return db
    .select({
      deviceId: device.id,
      spaceId: device.spaceId,
      revokedAt: sql<Date | null>`MAX(${deviceCredential.revokedAt})`.mapWith(deviceCredential.revokedAt),
    })
    .from(device)
    .innerJoin(space, eq(space.id, device.spaceId))
    .leftJoin(deviceCredential, eq(deviceCredential.deviceId, device.id))
    .where(and(inArray(device.id, deviceIds), isStanding()))
    .groupBy(device.id, device.spaceId)
}

/**
 * Lists devices that were removed or of which a credential was revoked after a moment, `limit` at most. Reads all
 * credentials: for once a minute, not for each CONNECT.
 */
export async function listRevokedDevices(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<{ deviceId: string }[]> {
  return db
    .selectDistinct({ deviceId: deviceCredential.deviceId })
    .from(deviceCredential)
    .innerJoin(device, eq(device.id, deviceCredential.deviceId))
    .where(or(gt(deviceCredential.revokedAt, since), eq(device.removed, true)))
    .limit(limit)
}

/** Lists spaces that are deleted and can still be restored, `limit` at most. */
export async function listDeletedSpaces(db: Db, limit: number): Promise<{ spaceId: string }[]> {
  return db.select({ spaceId: space.id }).from(space).where(isNotNull(space.deletedAt)).limit(limit)
}

/** Adds credentials. */
export async function insertCredentials(
  db: Db,
  rows: { digest: Buffer; deviceId: string; createdAt: Date }[],
): Promise<void> {
  await db.insert(deviceCredential).values(rows)
}

/** Lists the credentials of a device that are good at a moment, the newest first. */
export async function listGoodCredentials(
  tx: Db,
  deviceId: string,
  at: Date,
): Promise<{ digest: Buffer; expiresAt: Date | null }[]> {
  return tx
    .select({ digest: deviceCredential.digest, expiresAt: deviceCredential.expiresAt })
    .from(deviceCredential)
    .where(and(eq(deviceCredential.deviceId, deviceId), isGood(at)))
    .orderBy(desc(isNull(deviceCredential.expiresAt)), desc(deviceCredential.createdAt))
}

/** Revokes the credentials of a device that are good at a moment. */
export async function revokeCredentials(tx: Db, deviceId: string, at: Date): Promise<void> {
  await tx
    .update(deviceCredential)
    .set({ revokedAt: at })
    .where(and(eq(deviceCredential.deviceId, deviceId), isGood(at)))
}

/** Sets until when a credential is good. */
export async function expireCredential(tx: Db, digest: Buffer, expiresAt: Date): Promise<void> {
  await tx.update(deviceCredential).set({ expiresAt }).where(eq(deviceCredential.digest, digest))
}
