import { refreshToken, session } from '../../schema/mysql/device-tables.ts'
import { and, eq, gt, isNull } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** A refresh token as it is kept, with what its session says. */
export interface RefreshTokenRow {
  readonly sessionId: string
  readonly userId: string
  readonly usedAt: Date | null
  readonly revokedAt: Date | null
}

/** Begins a session. */
export async function insertSession(
  db: Db,
  row: { id: string; userId: string; createdAt: Date },
): Promise<void> {
  await db.insert(session).values(row)
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
      usedAt: refreshToken.usedAt,
      revokedAt: session.revokedAt,
    })
    .from(refreshToken)
    .innerJoin(session, eq(session.id, refreshToken.sessionId))
    .where(eq(refreshToken.digest, digest))
  return row
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
