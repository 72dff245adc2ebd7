import { space } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** Finds the time zone of a space; null when there is no such space. */
export async function findTimezone(db: Db, spaceId: string): Promise<string | null> {
  const [row] = await db.select({ timezone: space.timezone }).from(space).where(eq(space.id, spaceId))
  return row?.timezone ?? null
}
