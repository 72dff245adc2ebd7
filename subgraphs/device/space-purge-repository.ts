import { alert, notificationSetting } from '../../schema/mysql/alert-tables.ts'
import {
  audit,
  device,
  invitation,
  line,
  membership,
  process,
  space,
} from '../../schema/mysql/device-tables.ts'
import { and, asc, eq, lt } from '../../schema/mysql/drizzle.ts'
import { watch } from '../../schema/mysql/watch-tables.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** What goes with a space, members first: then nobody is left who could have a right in it. */
export const TABLES_OF_SPACE = [
  membership,
  invitation,
  notificationSetting,
  alert,
  watch,
  process,
  line,
  audit,
] as const

/** Finds spaces that were deleted before a moment, those deleted first first; `limit` at most. */
export async function findSpacesDeletedBefore(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: space.id })
    .from(space)
    .where(lt(space.deletedAt, before))
    .orderBy(asc(space.deletedAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Deletes rows of a space, `limit` at most. Answers how many that were. */
export async function deleteRowsOfSpace(
  db: Db,
  table: (typeof TABLES_OF_SPACE)[number],
  spaceId: string,
  limit: number,
): Promise<number> {
  const [result] = await db.delete(table).where(eq(table.spaceId, spaceId)).limit(limit)
  return result.affectedRows
}

/** Marks devices of a space as removed, `limit` at most: their rows still name what they have logged. Answers how many. */
export async function removeDevicesOfSpace(db: Db, spaceId: string, limit: number): Promise<number> {
  const [result] = await db
    .update(device)
    .set({ removed: true })
    .where(and(eq(device.spaceId, spaceId), eq(device.removed, false)))
    .limit(limit)
  return result.affectedRows
}

/** Deletes a space that was deleted before a moment for good. Answers whether it was there. */
export async function deleteSpaceRow(db: Db, spaceId: string, before: Date): Promise<boolean> {
  const [result] = await db.delete(space).where(and(eq(space.id, spaceId), lt(space.deletedAt, before)))
  return result.affectedRows === 1
}
