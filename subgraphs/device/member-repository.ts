import { membership, user } from '../../schema/mysql/device-tables.ts'
import { and, count, eq, inArray, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parseMoment, selectBranches } from '../shared/mysql/select-branches.ts'
import type { Role } from '../shared/space-access.ts'
import type { MembershipParent } from './model.ts'

/** A piece of a space's members, in the order of their ids. */
export interface MemberListRequest {
  readonly spaceId: string
  /** Members behind this one; null from the beginning on. */
  readonly afterUserId: string | null
  readonly limit: number
}

/** Finds those of the users who are members of a space, whether it is deleted or not. */
export async function findMembers(
  db: Db,
  spaceId: string,
  userIds: readonly string[],
): Promise<MembershipParent[]> {
  return db
    .select()
    .from(membership)
    .where(and(eq(membership.spaceId, spaceId), inArray(membership.userId, userIds)))
}

/** Whether the address is that of a member. */
export async function isMemberByEmail(
  db: Db,
  { spaceId, email }: { spaceId: string; email: string },
): Promise<boolean> {
  const rows = await db
    .select({ id: user.id })
    .from(user)
    .innerJoin(membership, and(eq(membership.userId, user.id), eq(membership.spaceId, spaceId)))
    .where(eq(user.email, email))
  return rows.length > 0
}

/** Reads pieces of the members of several spaces in one statement: an answer for each request, in their order. */
export async function listMembers(
  db: Db,
  requests: readonly MemberListRequest[],
): Promise<MembershipParent[][]> {
  const pieces = await selectBranches<Omit<MembershipParent, 'joinedAt'> & { joinedAt: string }>(
    db,
    requests.map(({ spaceId, afterUserId, limit }) => {
      const isBehind = afterUserId === null ? sql.empty() : sql` AND user_id > ${afterUserId}`
      return sql`space_id spaceId, user_id userId, role, joined_at joinedAt FROM membership FORCE INDEX (PRIMARY)
        WHERE space_id = ${spaceId}${isBehind} ORDER BY user_id LIMIT ${limit}`
    }),
  )
  return pieces.map(rows => rows.map(row => ({ ...row, joinedAt: parseMoment(row.joinedAt) })))
}

/** Counts the members of spaces in one statement; a space without any is left out. */
export async function countMembers(db: Db, spaceIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ spaceId: membership.spaceId, total: count() })
    .from(membership)
    .where(inArray(membership.spaceId, spaceIds))
    .groupBy(membership.spaceId)
  return new Map(rows.map(({ spaceId, total }) => [spaceId, total]))
}

/** Counts the owners of a space. */
export async function countOwners(db: Db, spaceId: string): Promise<number> {
  return db.$count(membership, and(eq(membership.spaceId, spaceId), eq(membership.role, 'OWNER')))
}

/** Counts the spaces that a user owns, deleted ones that have not been purged among them. */
export async function countOwnedSpaces(db: Db, userId: string): Promise<number> {
  return db.$count(membership, and(eq(membership.userId, userId), eq(membership.role, 'OWNER')))
}

/** Adds a member. */
export async function insertMember(db: Db, row: MembershipParent): Promise<void> {
  await db.insert(membership).values(row)
}

/** Gives a member another role. */
export async function setMemberRole(
  db: Db,
  { spaceId, userId, role }: { spaceId: string; userId: string; role: Role },
): Promise<void> {
  await db
    .update(membership)
    .set({ role })
    .where(and(eq(membership.spaceId, spaceId), eq(membership.userId, userId)))
}

/** Removes a member. */
export async function deleteMember(
  db: Db,
  { spaceId, userId }: { spaceId: string; userId: string },
): Promise<void> {
  await db.delete(membership).where(and(eq(membership.spaceId, spaceId), eq(membership.userId, userId)))
}
