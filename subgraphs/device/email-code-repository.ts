import { emailCode, user } from '../../schema/mysql/device-tables.ts'
import { and, eq, gt, lt, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { MAX_GUESSES } from './email-code.ts'

/** What a code from a mail is for. */
export type EmailCodePurpose = (typeof emailCode.$inferSelect)['purpose']

/** A code by its key. */
export interface EmailCodeKey {
  readonly userId: string
  readonly purpose: EmailCodePurpose
}

/** Adds a code, in place of the user's former one of this purpose. */
export async function replaceEmailCode(
  db: Db,
  row: EmailCodeKey & { digest: Buffer; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { digest, createdAt, expiresAt } = row
  await db
    .insert(emailCode)
    .values(row)
    .onDuplicateKeyUpdate({ set: { digest, tries: 0, createdAt, expiresAt } })
}

/**
 * Counts a guess at a code, before it is looked at, in one statement: of many at once each gets a number of its own. A
 * user without a code gets a dead one, so that it takes as long.
 */
export async function countGuess(db: Db, key: EmailCodeKey, now: Date): Promise<void> {
  await db
    .insert(emailCode)
    .values({
      ...key,
      digest: Buffer.alloc(32),
      tries: MAX_GUESSES + 1,
      createdAt: new Date(0),
      expiresAt: now,
    })
    .onDuplicateKeyUpdate({ set: { tries: sql`least(${emailCode.tries} + 1, ${MAX_GUESSES + 1})` } })
}

/** Finds a code. */
export async function findEmailCode(
  db: Db,
  { userId, purpose }: EmailCodeKey,
): Promise<{ digest: Buffer; tries: number; createdAt: Date; expiresAt: Date } | undefined> {
  const { digest, tries, createdAt, expiresAt } = emailCode
  const [row] = await db
    .select({ digest, tries, createdAt, expiresAt })
    .from(emailCode)
    .where(and(eq(emailCode.userId, userId), eq(emailCode.purpose, purpose)))
  return row
}

/** Finds whose a good reset token is, by its digest. */
export async function findResetToken(
  db: Db,
  digest: Buffer,
  now: Date,
): Promise<{ userId: string; email: string; locale: 'ko' | 'en' } | undefined> {
  const [row] = await db
    .select({ userId: user.id, email: user.email, locale: user.locale })
    .from(emailCode)
    .innerJoin(user, eq(user.id, emailCode.userId))
    .where(
      and(
        eq(emailCode.digest, digest),
        eq(emailCode.purpose, 'reset-password'),
        gt(emailCode.expiresAt, now),
      ),
    )
  return row
}

/** Deletes a code; with a digest only if it is that one. Answers whether it was there: true for one caller only. */
export async function deleteEmailCode(
  db: Db,
  { userId, purpose }: EmailCodeKey,
  digest?: Buffer,
): Promise<boolean> {
  const [result] = await db
    .delete(emailCode)
    .where(
      and(
        eq(emailCode.userId, userId),
        eq(emailCode.purpose, purpose),
        digest === undefined ? undefined : eq(emailCode.digest, digest),
      ),
    )
  return result.affectedRows === 1
}

/** Deletes codes that expired before a moment, `limit` at most; answers how many. */
export async function deleteExpiredEmailCodes(db: Db, before: Date, limit: number): Promise<number> {
  const [result] = await db.delete(emailCode).where(lt(emailCode.expiresAt, before)).limit(limit)
  return result.affectedRows
}
