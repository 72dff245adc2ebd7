import type { TokenSigner } from '../shared/auth/access-token.ts'
import type { UserViewer } from '../shared/auth/viewer.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runTransaction } from '../shared/mysql/short-transaction.ts'
import { parseEmail } from '../shared/text/parse-email.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { UserParent } from './model.ts'
import { createSecret, deriveNextSecret, digestSecret, isSecret } from './opaque-secret.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Revocations } from './revocations.ts'
import {
  findRefreshToken,
  insertRefreshToken,
  insertSession,
  revokeSession,
  revokeSessions,
  useRefreshToken,
} from './session-repository.ts'
import { findUserByEmail } from './user-repository.ts'

/** How long a refresh token may wait to be used, in milliseconds. */
export const REFRESH_TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60_000

/** How long a token that was used may be used again by whoever may repeat, in milliseconds: for tabs that refresh at once. */
const REPEAT_MS = 10_000

/** Refreshes that one browser makes within REPEAT_MS at most. */
const MAX_REPEATED = 20

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
   * one has been copied: its session ends, whoever of the two came first, and all processes are told.
   *
   * With `mayRepeat` one that was used so within the last 10 s is answered with the newest of its session that came of it:
   * so tabs that share a cookie may refresh at once, or again when an answer was lost. There is still one newest token, so
   * a copy shows as soon as both have gone on.
   */
  refresh(refreshToken: string, options?: { mayRepeat?: boolean }): Promise<SessionTokens | null>
  /** Ends the session of a user, or all of theirs: false when none was in force. All processes are told. */
  end(viewer: UserViewer, sessions: 'this' | 'all'): Promise<boolean>
}

/** Creates the sessions of a process. */
export function createSessions({
  db,
  signer,
  passwords,
  secret: siteSecret,
  revocations,
}: {
  db: Db
  signer: TokenSigner
  passwords: PasswordHasher
  /** The same in all processes of the site. */
  secret: string
  revocations: Revocations
}): Sessions {
  async function addRefreshToken(tx: Db, sessionId: string, now: Date, token: string): Promise<string> {
    const expiresAt = new Date(now.getTime() + REFRESH_TOKEN_LIFETIME_MS)
    await insertRefreshToken(tx, { digest: digestSecret(token), sessionId, createdAt: now, expiresAt })
    return token
  }

  /** Follows a used token to the newest that came of it; undefined when one was not used just now, or not by a browser. */
  async function findRepeated(tx: Db, usedToken: string, now: Date): Promise<string | undefined> {
    let token = usedToken
    for (let step = 0; step <= MAX_REPEATED; step++) {
      const found = await findRefreshToken(tx, digestSecret(token))
      if (found === undefined || found.expiresAt <= now) return undefined
      if (found.usedAt === null) return token
      if (now.getTime() - found.usedAt.getTime() > REPEAT_MS) return undefined
      token = deriveNextSecret(token, siteSecret)
    }
    return undefined
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
      const found = await findUserByEmail(db, parseEmail(email).value ?? '')
      const isRight = await passwords.check(found?.passwordHash, password)
      if (found === undefined || !isRight) return null
      const subject = { userId: found.user.id, sessionId: newId() }
      const now = new Date()
      const { passwordHash } = found
      const refreshToken = await runTransaction(db, async tx => {
        const { sessionId: id, userId } = subject
        const isBegun = await insertSession(tx, { id, userId, createdAt: now, passwordHash })
        return isBegun ? addRefreshToken(tx, id, now, createSecret()) : null
      })
      // The password has been changed since it was checked.
      if (refreshToken === null) return null
      return { ...(await toTokens(subject, refreshToken)), user: found.user }
    },

    async refresh(refreshToken, { mayRepeat = false } = {}) {
      if (!isSecret(refreshToken)) return null
      const digest = digestSecret(refreshToken)
      const now = new Date()
      const next = await runTransaction(db, async tx => {
        // Marks before it reads: of two at once the second waits here for the first and then finds it used.
        const isFirst = await useRefreshToken(tx, digest, now)
        const found = await findRefreshToken(tx, digest)
        if (found === undefined || found.revokedAt !== null) return null
        const { sessionId, userId } = found
        if (isFirst) {
          const next = mayRepeat ? deriveNextSecret(refreshToken, siteSecret) : createSecret()
          return { sessionId, userId, token: await addRefreshToken(tx, sessionId, now, next) }
        }
        const repeated = mayRepeat ? await findRepeated(tx, refreshToken, now) : undefined
        if (repeated !== undefined) return { sessionId, userId, token: repeated }
        const isReused = found.usedAt !== null
        const isEnded = isReused && (await revokeSession(tx, { sessionId, userId, now }))
        return isEnded ? { sessionId, userId, token: null } : null
      })
      if (next === null) return null
      const { token, ...subject } = next
      if (token !== null) return toTokens(subject, token)
      await revocations.publish({ kind: 'session-ended', ...subject })
      return null
    },

    async end({ sessionId, userId }, sessions) {
      const now = new Date()
      const isAll = sessions === 'all'
      const isEnded = isAll
        ? (await revokeSessions(db, { userId, now })) > 0
        : await revokeSession(db, { sessionId, userId, now })
      if (isEnded)
        await revocations.publish(
          isAll ? { kind: 'sessions-ended', userId } : { kind: 'session-ended', userId, sessionId },
        )
      return isEnded
    },
  }
}
