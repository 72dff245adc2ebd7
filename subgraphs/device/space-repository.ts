import { line, membership, process, space } from '../../schema/mysql/device-tables.ts'
import { and, asc, count, desc, eq, gt, inArray, isNull, or } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { LineParent, ProcessParent, SpaceParent } from './model.ts'

const SPACE_COLUMNS = {
  id: space.id,
  name: space.name,
  timezone: space.timezone,
  createdAt: space.createdAt,
  version: space.version,
  retentionDays: space.retentionDays,
  createdBy: space.createdBy,
  deletedAt: space.deletedAt,
}

/** Finds spaces by id, deleted ones too. */
export async function findSpaces(db: Db, ids: readonly string[]): Promise<SpaceParent[]> {
  return db.select(SPACE_COLUMNS).from(space).where(inArray(space.id, ids))
}

/**
 * Lists the spaces of a user by name, behind `after` when given. Reads the user's memberships by index and sorts
 * those few; the order is that of another table, so no index holds it.
 */
export async function listSpacesOfUser(
  db: Db,
  { userId, after, limit }: { userId: string; after: { name: string; id: string } | null; limit: number },
): Promise<SpaceParent[]> {
  const isBehind =
    after === null
      ? undefined
      : or(gt(space.name, after.name), and(eq(space.name, after.name), gt(space.id, after.id)))
  return db
    .select(SPACE_COLUMNS)
    .from(membership)
    .innerJoin(space, eq(space.id, membership.spaceId))
    .where(and(eq(membership.userId, userId), isNull(space.deletedAt), isBehind))
    .orderBy(asc(space.name), asc(space.id))
    .limit(limit)
}

/** Counts the spaces of a user. */
export async function countSpacesOfUser(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(membership)
    .innerJoin(space, eq(space.id, membership.spaceId))
    .where(and(eq(membership.userId, userId), isNull(space.deletedAt)))
  return row?.total ?? 0
}

/** Lists the spaces of an owner that were deleted after a moment, those deleted last first; `limit` at most. */
export async function listDeletedSpaces(
  db: Db,
  { ownerId, since, limit }: { ownerId: string; since: Date; limit: number },
): Promise<SpaceParent[]> {
  return db
    .select(SPACE_COLUMNS)
    .from(membership)
    .innerJoin(space, eq(space.id, membership.spaceId))
    .where(and(eq(membership.userId, ownerId), eq(membership.role, 'OWNER'), gt(space.deletedAt, since)))
    .orderBy(desc(space.deletedAt), desc(space.id))
    .limit(limit)
}

/** Finds lines by id, removed ones too. */
export async function findLines(db: Db, ids: readonly string[]): Promise<LineParent[]> {
  return db.select().from(line).where(inArray(line.id, ids))
}

/** Lists the lines of spaces, those of a space by position. */
export async function listLinesOfSpaces(db: Db, spaceIds: readonly string[]): Promise<LineParent[]> {
  return db
    .select()
    .from(line, { forceIndex: 'line_space' })
    .where(and(inArray(line.spaceId, spaceIds), eq(line.removed, false)))
    .orderBy(asc(line.spaceId), asc(line.position), asc(line.id))
}

/** Finds processes by id, removed ones too. */
export async function findProcesses(db: Db, ids: readonly string[]): Promise<ProcessParent[]> {
  return db.select().from(process).where(inArray(process.id, ids))
}

/** Lists the processes of spaces, those of a space by position. */
export async function listProcessesOfSpaces(db: Db, spaceIds: readonly string[]): Promise<ProcessParent[]> {
  return db
    .select()
    .from(process, { forceIndex: 'process_space' })
    .where(and(inArray(process.spaceId, spaceIds), eq(process.removed, false)))
    .orderBy(asc(process.spaceId), asc(process.position), asc(process.id))
}
