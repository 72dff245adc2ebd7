import { user } from '../../schema/mysql/device-tables.ts'
import { eq, inArray } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { UserParent } from './model.ts'

const COLUMNS = {
  id: user.id,
  email: user.email,
  name: user.name,
  emailVerifiedAt: user.emailVerifiedAt,
  createdAt: user.createdAt,
  locale: user.locale,
}

/** Finds people by id. */
export async function findUsers(db: Db, ids: readonly string[]): Promise<UserParent[]> {
  return db.select(COLUMNS).from(user).where(inArray(user.id, ids))
}

/** Finds a person by address (lower case), with the hash of their password. */
export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<{ user: UserParent; passwordHash: string } | undefined> {
  const [row] = await db
    .select({ user: COLUMNS, passwordHash: user.passwordHash })
    .from(user)
    .where(eq(user.email, email))
  return row
}

/** Whether anybody has an account. */
export async function hasUsers(db: Db): Promise<boolean> {
  const rows = await db.select({ id: user.id }).from(user).limit(1)
  return rows.length > 0
}

/** Adds a person. */
export async function insertUser(db: Db, row: typeof user.$inferInsert): Promise<void> {
  await db.insert(user).values(row)
}
