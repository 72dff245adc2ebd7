import { ACCESS_TOKEN_LIFETIME_MS } from '../shared/auth/access-token.ts'
import type { UserViewer } from '../shared/auth/viewer.ts'
import { enqueueMail } from '../shared/mail/mail-outbox.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runTransaction } from '../shared/mysql/short-transaction.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { AddressTurns } from './address-turns.ts'
import { deleteEmailCode, findEmailCode, findResetToken, replaceEmailCode } from './email-code-repository.ts'
import { createSecret, digestSecret, isSecret } from './opaque-secret.ts'
import { parsePassword } from './parse-password.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Revocations } from './revocations.ts'
import { listSessionsSince, revokeSessions } from './session-repository.ts'
import { hasCooledDown } from './sign-ups.ts'
import {
  changePasswordHash,
  findUserWithHash,
  lockUser,
  lockUserByEmail,
  resetPasswordHash,
} from './user-repository.ts'

/** How long a token to set a new password is good, in milliseconds. */
export const RESET_TOKEN_LIFETIME_MS = 60 * 60_000

/** What came of setting a password; `problem` follows the name of the field `newPassword`. */
export type PasswordChange =
  | { readonly outcome: 'done' | 'wrong-token' | 'wrong-password' | 'changed-meanwhile' }
  | { readonly outcome: 'bad-password'; readonly problem: string }

/** Sets new passwords. */
export interface PasswordChanges {
  /**
   * Mails a token that sets a new password, not more often than once in 60 s. Whether the address has an account shows
   * neither in the answer nor in its time.
   */
  requestReset(email: string): Promise<void>
  /** Sets a new password for a token, once, and proves the address. All sessions end. */
  reset(change: { token: string; newPassword: string }): Promise<PasswordChange>
  /** Sets a new password for who knows the current one. All other sessions end, and tokens that were mailed. */
  change(
    viewer: UserViewer,
    change: { currentPassword: string; newPassword: string },
  ): Promise<PasswordChange>
}

const PURPOSE = 'reset-password'

/** Creates the password changes of a process. */
export function createPasswordChanges({
  db,
  passwords,
  turns,
  revocations,
  nudgeMailer,
}: {
  db: Db
  passwords: PasswordHasher
  turns: AddressTurns
  revocations: Revocations
  nudgeMailer: () => void
}): PasswordChanges {
  return {
    async requestReset(email) {
      const token = createSecret()
      const mailToken = async (tx: Db) => {
        const now = new Date()
        const found = await lockUserByEmail(tx, email)
        const former = await findEmailCode(tx, { userId: found?.id ?? newId(), purpose: PURPOSE })
        const isDue = found !== undefined && hasCooledDown(former, now)
        await replaceEmailCode(tx, {
          userId: isDue ? found.id : newId(),
          purpose: PURPOSE,
          digest: digestSecret(token),
          createdAt: now,
          expiresAt: new Date(now.getTime() + RESET_TOKEN_LIFETIME_MS),
        })
        const locale = found?.locale ?? 'en'
        await enqueueMail(tx, { to: email, template: PURPOSE, locale, params: { token }, isDecoy: !isDue })
      }
      await turns.take(email, () => runTransaction(db, mailToken))
      nudgeMailer()
    },

    async reset({ token, newPassword }) {
      if (!isSecret(token)) return { outcome: 'wrong-token' }
      const digest = digestSecret(token)
      const now = new Date()
      const found = await findResetToken(db, digest, now)
      if (found === undefined) return { outcome: 'wrong-token' }
      const { userId, email, locale } = found
      const { value, problem } = parsePassword(newPassword, email)
      if (value === undefined) return { outcome: 'bad-password', problem }
      const passwordHash = await passwords.hash(value)
      const isDone = await runTransaction(db, async tx => {
        await lockUser(tx, userId)
        if (!(await deleteEmailCode(tx, { userId, purpose: PURPOSE }, digest))) return false
        await resetPasswordHash(tx, { userId, passwordHash, now })
        await revokeSessions(tx, { userId, now })
        await enqueueMail(tx, { to: email, template: 'password-changed', locale, params: {} })
        return true
      })
      if (!isDone) return { outcome: 'wrong-token' }
      nudgeMailer()
      await revocations.publish({ kind: 'sessions-ended', userId })
      return { outcome: 'done' }
    },

    async change({ userId, sessionId }, { currentPassword, newPassword }) {
      const found = await findUserWithHash(db, userId)
      if (!(await passwords.check(found?.passwordHash, currentPassword)) || found === undefined)
        return { outcome: 'wrong-password' }
      const { email, locale } = found.user
      const { value, problem } = parsePassword(newPassword, email)
      if (value === undefined) return { outcome: 'bad-password', problem }
      const passwordHash = await passwords.hash(value)
      const now = new Date()
      const ended = await runTransaction(db, async tx => {
        if (!(await changePasswordHash(tx, { userId, former: found.passwordHash, passwordHash }))) return null
        // Those without a token from this time have no access token that is good.
        const since = new Date(now.getTime() - ACCESS_TOKEN_LIFETIME_MS)
        const sessions = await listSessionsSince(tx, { userId, since, except: sessionId })
        await revokeSessions(tx, { userId, keep: sessionId, now })
        await deleteEmailCode(tx, { userId, purpose: PURPOSE })
        await enqueueMail(tx, { to: email, template: 'password-changed', locale, params: {} })
        return sessions
      })
      if (ended === null) return { outcome: 'changed-meanwhile' }
      nudgeMailer()
      await revocations.publish(
        ...ended.map(id => ({ kind: 'session-ended', userId, sessionId: id }) as const),
      )
      return { outcome: 'done' }
    },
  }
}
