import { space } from '../../schema/mysql/device-tables.ts'
import { eq, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { SpaceParent } from './model.ts'

/** Finds a space, deleted or not, and lets nobody else change it or its members before the transaction ends. */
export async function lockSpace(tx: Db, spaceId: string): Promise<SpaceParent | undefined> {
  const [row] = await tx.select().from(space).where(eq(space.id, spaceId)).for('update')
  return row
}

/** Adds a space. */
export async function insertSpace(db: Db, row: SpaceParent): Promise<void> {
  await db.insert(space).values(row)
}

/** Changes a space, and raises its version. */
export async function updateSpace(
  db: Db,
  spaceId: string,
  changes: Partial<Pick<SpaceParent, 'name' | 'timezone' | 'retentionDays' | 'deletedAt'>>,
): Promise<void> {
  await db
    .update(space)
    .set({ ...changes, version: sql`${space.version} + 1` })
    .where(eq(space.id, spaceId))
}
