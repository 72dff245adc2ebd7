import { refreshToken, session, user } from '../../schema/mysql/device-tables.ts'
import { and, eq, gt, isNull, lt, ne, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** A refresh token as it is kept, with what its session says. */
export interface RefreshTokenRow {
  readonly sessionId: string
  readonly userId: string
  readonly expiresAt: Date
  readonly usedAt: Date | null
  readonly revokedAt: Date | null
}

/**
 * Begins a session of a user whose password still has this hash; answers whether it has. Waits for a change of the
 * password that is under way, and lets none come before the transaction ends.
 */
export async function insertSession(
  db: Db,
  {
    id,
    userId,
    createdAt,
    passwordHash,
  }: { id: string; userId: string; createdAt: Date; passwordHash: string },
): Promise<boolean> {
  const [result] = await db.execute(sql`
    insert into ${session} (id, user_id, created_at)
    select ${id}, ${user.id}, ${createdAt} from ${user}
    where ${user.id} = ${userId} and ${user.passwordHash} = ${passwordHash}
    lock in share mode`)
  return result.affectedRows === 1
}

/** Adds a refresh token to a session. */
export async function insertRefreshToken(
  db: Db,
  row: { digest: Buffer; sessionId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.insert(refreshToken).values(row)
}

/** Marks a refresh token as used. Answers true for one caller only, false when it is used, expired or unknown. */
export async function useRefreshToken(db: Db, digest: Buffer, now: Date): Promise<boolean> {
  const [result] = await db
    .update(refreshToken)
    .set({ usedAt: now })
    .where(and(eq(refreshToken.digest, digest), isNull(refreshToken.usedAt), gt(refreshToken.expiresAt, now)))
  return result.affectedRows === 1
}

/** Finds a refresh token with its session. */
export async function findRefreshToken(db: Db, digest: Buffer): Promise<RefreshTokenRow | undefined> {
  const [row] = await db
    .select({
      sessionId: session.id,
      userId: session.userId,
      expiresAt: refreshToken.expiresAt,
      usedAt: refreshToken.usedAt,
      revokedAt: session.revokedAt,
    })
    .from(refreshToken)
    .innerJoin(session, eq(session.id, refreshToken.sessionId))
    .where(eq(refreshToken.digest, digest))
  return row
}

/** Whether a session of a user is in force. */
export async function isSessionInForce(
  db: Db,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<boolean> {
  const rows = await db
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.id, sessionId), eq(session.userId, userId), isNull(session.revokedAt)))
  return rows.length > 0
}

/** Ends a session of a user, and with it its refresh tokens. Answers false when it had ended or is not theirs. */
export async function revokeSession(
  db: Db,
  { sessionId, userId, now }: { sessionId: string; userId: string; now: Date },
): Promise<boolean> {
  const [result] = await db
    .update(session)
    .set({ revokedAt: now })
    .where(and(eq(session.id, sessionId), eq(session.userId, userId), isNull(session.revokedAt)))
  return result.affectedRows === 1
}

/** Ends all sessions of a user, but the one to keep. Answers how many that were. */
export async function revokeSessions(
  db: Db,
  { userId, keep, now }: { userId: string; keep?: string; now: Date },
): Promise<number> {
  const [result] = await db
    .update(session)
    .set({ revokedAt: now })
    .where(
      and(
        eq(session.userId, userId),
        isNull(session.revokedAt),
        keep === undefined ? undefined : ne(session.id, keep),
      ),
    )
  return result.affectedRows
}

/** Ends all sessions of a user whose address is not proven. Answers how many that were. */
export async function revokeUnverifiedSessions(db: Db, userId: string, now: Date): Promise<number> {
  const isUnverified = sql`exists (select 1 from ${user} where ${user.id} = ${userId} and ${user.emailVerifiedAt} is null)`
  const [result] = await db
    .update(session)
    .set({ revokedAt: now })
    .where(and(eq(session.userId, userId), isNull(session.revokedAt), isUnverified))
  return result.affectedRows
}

/** Lists the sessions in force of a user that got tokens after a moment, but the one left out. */
export async function listSessionsSince(
  db: Db,
  { userId, since, except }: { userId: string; since: Date; except: string },
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: session.id })
    .from(session)
    .innerJoin(refreshToken, and(eq(refreshToken.sessionId, session.id), gt(refreshToken.createdAt, since)))
    .where(and(eq(session.userId, userId), isNull(session.revokedAt), ne(session.id, except)))
  return rows.map(({ id }) => id)
}

/** Deletes refresh tokens that expired before a moment, `limit` at most; answers how many. */
export async function deleteExpiredRefreshTokens(db: Db, before: Date, limit: number): Promise<number> {
  const [result] = await db.delete(refreshToken).where(lt(refreshToken.expiresAt, before)).limit(limit)
  return result.affectedRows
}

/** Deletes sessions older than an id that have no refresh token any more, `limit` at most; answers how many. */
export async function deleteSpentSessions(db: Db, beforeId: string, limit: number): Promise<number> {
  const hasToken = sql`exists (select 1 from ${refreshToken} where ${refreshToken.sessionId} = ${session.id})`
  const [result] = await db
    .delete(session)
    .where(and(lt(session.id, beforeId), sql`not ${hasToken}`))
    .limit(limit)
  return result.affectedRows
}
