import { user } from '../../schema/mysql/device-tables.ts'
import { and, eq, inArray, isNull, or, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { idLowerBound, timeOfId } from '../shared/uuid-v7.ts'
import { MAIL_COOL_DOWN_MS } from './email-code.ts'
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

/** Finds those of the people who are the viewer, or are in a space with them; deleted spaces do not count. */
export async function findFellows(db: Db, viewerId: string, ids: readonly string[]): Promise<UserParent[]> {
  const isFellow = sql`EXISTS (SELECT 1 FROM membership theirs
    JOIN membership mine ON mine.space_id = theirs.space_id AND mine.user_id = ${viewerId}
    JOIN space ON space.id = mine.space_id AND space.deleted_at IS NULL WHERE theirs.user_id = ${user.id})`
  return db
    .select(COLUMNS)
    .from(user)
    .where(and(inArray(user.id, ids), or(eq(user.id, viewerId), isFellow)))
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

/** Finds a person by id, with the hash of their password. */
export async function findUserWithHash(
  db: Db,
  userId: string,
): Promise<{ user: UserParent; passwordHash: string } | undefined> {
  const [row] = await db
    .select({ user: COLUMNS, passwordHash: user.passwordHash })
    .from(user)
    .where(eq(user.id, userId))
  return row
}

/**
 * Finds a person by address, and keeps them as they are until the transaction ends: of several at once each sees what
 * the one before has done.
 */
export async function lockUserByEmail(
  tx: Db,
  email: string,
): Promise<(UserParent & { signUps: number }) | undefined> {
  const [row] = await tx
    .select({ ...COLUMNS, signUps: user.signUps })
    .from(user)
    .where(eq(user.email, email))
    .for('update')
  return row
}

/** Keeps a person as they are until the transaction ends. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update')
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

/**
 * Adds a person, unless the address has one. That one stays as it is when the address is proven; else they become what
 * the newer sign-up says. Within 60 s of the former sign-up they stay too, as its mail is on its way; that there was
 * another is counted even so, for who signed up first may not be who reads the mail.
 *
 * Which of it happened tells findSignedUp.
 */
export async function signUpUser(
  db: Db,
  row: Required<Omit<typeof user.$inferInsert, 'emailVerifiedAt' | 'signUps'>>,
): Promise<void> {
  const { name, passwordHash, locale, signUpId } = row
  const isDue = sql`${user.signUpId} < ${idLowerBound(timeOfId(signUpId) - MAIL_COOL_DOWN_MS)}`
  const isReplaced = sql`${isDue} and ${user.emailVerifiedAt} is null`
  await db
    .insert(user)
    .values(row)
    .onDuplicateKeyUpdate({
      set: {
        name: sql`if(${isReplaced}, ${name}, ${user.name})`,
        passwordHash: sql`if(${isReplaced}, ${passwordHash}, ${user.passwordHash})`,
        locale: sql`if(${isReplaced}, ${locale}, ${user.locale})`,
        signUps: sql`if(${user.emailVerifiedAt} is null, least(${user.signUps} + 1, 1000), ${user.signUps})`,
        // Last, as it is in the table: Drizzle keeps that order, and the assignments before it read it.
        signUpId: sql`if(${isDue}, ${signUpId}, ${user.signUpId})`,
      },
    })
}

/** Finds who has an address, and the newest sign-up for it that counts. */
export async function findSignedUp(
  db: Db,
  email: string,
): Promise<{ id: string; isVerified: boolean; locale: 'ko' | 'en'; signUpId: string } | undefined> {
  const [row] = await db
    .select({
      id: user.id,
      emailVerifiedAt: user.emailVerifiedAt,
      locale: user.locale,
      signUpId: user.signUpId,
    })
    .from(user)
    .where(eq(user.email, email))
  if (row === undefined) return undefined
  const { emailVerifiedAt, ...rest } = row
  return { ...rest, isVerified: emailVerifiedAt !== null }
}

/** Marks an address as proven, if it is not. */
export async function markEmailVerified(db: Db, userId: string, now: Date): Promise<void> {
  await db
    .update(user)
    .set({ emailVerifiedAt: now })
    .where(and(eq(user.id, userId), isNull(user.emailVerifiedAt)))
}

/** Sets the password of a person whose mail has proven the address. */
export async function resetPasswordHash(
  db: Db,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await db
    .update(user)
    .set({ passwordHash, emailVerifiedAt: sql`coalesce(${user.emailVerifiedAt}, ${now})` })
    .where(eq(user.id, userId))
}

/** Sets the password of a person, if it is still the former one. */
export async function changePasswordHash(
  db: Db,
  { userId, former, passwordHash }: { userId: string; former: string; passwordHash: string },
): Promise<boolean> {
  const [result] = await db
    .update(user)
    .set({ passwordHash })
    .where(and(eq(user.id, userId), eq(user.passwordHash, former)))
  return result.affectedRows === 1
}
