import { membership, space } from '../../../schema/mysql/device-tables.ts'
import { and, eq, inArray, isNull, or } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../mysql/open-mysql.ts'
import type { Role } from '../space-access.ts'

/** A user and a space. */
export interface MembershipKey {
  readonly userId: string
  readonly spaceId: string
}

/** Finds the memberships that exist among the given ones, with their roles. Those of deleted spaces are left out. */
export async function findMemberships(
  db: Db,
  keys: readonly MembershipKey[],
): Promise<(MembershipKey & { role: Role })[]> {
  if (keys.length === 0) return []
  const byUser = Map.groupBy(keys, key => key.userId)
  const ofUsers = [...byUser].map(([userId, ofUser]) =>
    and(
      eq(membership.userId, userId),
      inArray(
        membership.spaceId,
        ofUser.map(key => key.spaceId),
      ),
    ),
  )
  return db
    .select({ userId: membership.userId, spaceId: membership.spaceId, role: membership.role })
    .from(membership)
    .innerJoin(space, eq(space.id, membership.spaceId))
    .where(and(or(...ofUsers), isNull(space.deletedAt)))
}
