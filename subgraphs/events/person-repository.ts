import { membership, user } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** Finds the names of those of the people who are members of one of the spaces. */
export async function findNamesOfMembers(
  db: Db,
  spaceIds: readonly string[],
  userIds: readonly string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: user.id, name: user.name })
    .from(user)
    .innerJoin(membership, eq(membership.userId, user.id))
    .where(and(inArray(user.id, userIds), inArray(membership.spaceId, spaceIds)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
