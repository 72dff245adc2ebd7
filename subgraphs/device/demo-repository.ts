import { notificationSetting } from '../../schema/mysql/alert-tables.ts'
import {
  device,
  deviceCredential,
  line,
  membership,
  process,
  space,
} from '../../schema/mysql/device-tables.ts'
import { and, asc, eq, isNull } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** Adds a space with its owner, lines and processes. To be called in a transaction. */
export async function insertDemoSpace(
  db: Db,
  rows: {
    space: typeof space.$inferInsert
    ownerId: string
    lines: (typeof line.$inferInsert)[]
    processes: (typeof process.$inferInsert)[]
  },
): Promise<void> {
  const { id: spaceId, createdAt: joinedAt } = rows.space
  await db.insert(space).values(rows.space)
  await db.insert(membership).values({ spaceId, userId: rows.ownerId, role: 'OWNER', joinedAt })
  // Nobody reads the demo's mail, and its devices find something wrong all the time.
  await db.insert(notificationSetting).values({
    ...{ spaceId, userId: rows.ownerId, severities: 12, email: false, digest: 'OFF' },
    ...{ version: 1, updatedAt: joinedAt },
  })
  await db.insert(line).values(rows.lines)
  await db.insert(process).values(rows.processes)
}

/** Finds the devices in the spaces that a user owns and has not deleted, with the digests of their credentials in force, by code. */
export async function findDemoDevices(
  db: Db,
  ownerId: string,
): Promise<{ deviceId: string; code: string; model: string | null; digest: Buffer }[]> {
  return db
    .select({
      deviceId: device.id,
      code: device.code,
      model: device.model,
      digest: deviceCredential.digest,
    })
    .from(membership)
    .innerJoin(space, eq(space.id, membership.spaceId))
    .innerJoin(device, eq(device.spaceId, space.id))
    .innerJoin(deviceCredential, eq(deviceCredential.deviceId, device.id))
    .where(
      and(
        eq(membership.userId, ownerId),
        eq(membership.role, 'OWNER'),
        isNull(space.deletedAt),
        eq(device.removed, false),
        isNull(deviceCredential.revokedAt),
        isNull(deviceCredential.expiresAt),
      ),
    )
    .orderBy(asc(device.code))
}
