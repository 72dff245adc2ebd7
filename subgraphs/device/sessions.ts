import type { TokenSigner } from '../shared/auth/access-token.ts'
import type { UserViewer } from '../shared/auth/viewer.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { UserParent } from './model.ts'
import { createSecret, digestSecret, isSecret } from './opaque-secret.ts'
import type { PasswordChecker } from './password-hasher.ts'
import {
  findRefreshToken,
  insertRefreshToken,
  insertSession,
  revokeSession,
  useRefreshToken,
} from './session-repository.ts'
import { findUserByEmail } from './user-repository.ts'

/** How long a refresh token may wait to be used, in milliseconds. */
export const REFRESH_TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60_000

/** What a client gets at the beginning of a session and at each refresh. */
export interface SessionTokens {
  readonly userId: string
  readonly accessToken: string
  readonly refreshToken: string
  /** When the access token expires. */
  readonly expiresAt: Date
}

/** Begins, continues and ends sessions. */
export interface Sessions {
  /** Null when address and password do not belong together; which of them was wrong cannot be told by the time. */
  signIn(credentials: {
    email: string
    password: string
  }): Promise<(SessionTokens & { user: UserParent }) | null>
  /**
   * Trades a refresh token for a new pair. Null when it is unknown, expired, used or its session has ended. A used
   * one has been copied: its session ends, whoever of the two came first.
   */
  refresh(refreshToken: string): Promise<SessionTokens | null>
  /** Ends the session of a user: false when it had ended. Access tokens live on until they expire. */
  end(viewer: UserViewer): Promise<boolean>
}

/** Creates the sessions of a process. */
export function createSessions({
  db,
  signer,
  passwords,
}: {
  db: Db
  signer: TokenSigner
  passwords: PasswordChecker
}): Sessions {
  async function addRefreshToken(tx: Db, sessionId: string, now: Date): Promise<string> {
    const token = createSecret()
    const expiresAt = new Date(now.getTime() + REFRESH_TOKEN_LIFETIME_MS)
    await insertRefreshToken(tx, { digest: digestSecret(token), sessionId, createdAt: now, expiresAt })
    return token
  }

  async function toTokens(
    subject: { userId: string; sessionId: string },
    refreshToken: string,
  ): Promise<SessionTokens> {
    const { token, expiresAt } = await signer.signUser(subject)
    return { userId: subject.userId, accessToken: token, refreshToken, expiresAt }
  }

  return {
    async signIn({ email, password }) {
      const found = await findUserByEmail(db, email.trim().toLowerCase())
      const isRight = await passwords.check(found?.passwordHash, password)
      if (found === undefined || !isRight) return null
      const subject = { userId: found.user.id, sessionId: newId() }
      const now = new Date()
      const refreshToken = await db.transaction(async tx => {
        await insertSession(tx, { id: subject.sessionId, userId: subject.userId, createdAt: now })
        return addRefreshToken(tx, subject.sessionId, now)
      })
      return { ...(await toTokens(subject, refreshToken)), user: found.user }
    },

    async refresh(refreshToken) {
      if (!isSecret(refreshToken)) return null
      const digest = digestSecret(refreshToken)
      const now = new Date()
      const next = await db.transaction(async tx => {
        // Marks before it reads: of two at once the second waits here for the first and then finds it used.
        const isFirst = await useRefreshToken(tx, digest, now)
        const found = await findRefreshToken(tx, digest)
        if (found === undefined || found.revokedAt !== null) return null
        const { sessionId, userId } = found
        if (isFirst) return { sessionId, userId, token: await addRefreshToken(tx, sessionId, now) }
        if (found.usedAt !== null) await revokeSession(tx, { sessionId, userId, now })
        return null
      })
      return next === null ? null : toTokens(next, next.token)
    },

    end: ({ sessionId, userId }) => revokeSession(db, { sessionId, userId, now: new Date() }),
  }
}
