import { timingSafeEqual } from 'node:crypto'
import type { Viewer } from '../shared/auth/viewer.ts'
import { enqueueMail, type MailLocale } from '../shared/mail/mail-outbox.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runTransaction } from '../shared/mysql/short-transaction.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { AddressTurns } from './address-turns.ts'
import {
  createEmailCode,
  digestEmailCode,
  EMAIL_CODE_LIFETIME_MS,
  isEmailCode,
  MAIL_COOL_DOWN_MS,
  MAX_GUESSES,
} from './email-code.ts'
import { countGuess, deleteEmailCode, findEmailCode, replaceEmailCode } from './email-code-repository.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Revocations } from './revocations.ts'
import { isSessionInForce, revokeUnverifiedSessions } from './session-repository.ts'
import { findSignedUp, lockUserByEmail, markEmailVerified, signUpUser } from './user-repository.ts'

/** Who signs up; all parsed. */
export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly locale: MailLocale
}

/** What came of a code: whose address is proven, or why it is not. */
export type Verification = { readonly userId: string } | 'wrong-code' | 'contested'

/**
 * Makes accounts and proves their addresses. Whether an address has an account shows neither in answers nor in their
 * time: each method runs one number of statements and hashes in all cases, and writes in all of them, to decoys if need
 * be; of many calls for an address one transaction runs at a time.
 */
export interface SignUps {
  /**
   * Makes an account and mails its code. Who owns the address already is mailed that instead; an account whose address
   * is not proven becomes the newer one, and its sessions end. Within 60 s of a sign-up for an address it is only counted.
   */
  signUp(account: NewAccount): Promise<void>
  /**
   * Proves an address. When there was more than one sign-up for it, who reads the mail may not be who set the password:
   * then the code must come from a session of the account, which knows it.
   */
  verify(proof: { email: string; code: string; viewer: Viewer | null }): Promise<Verification>
  /** Mails a new code to who has not proven their address, not more often than once in 60 s. */
  resend(email: string): Promise<void>
}

const PURPOSE = 'verify-email'

/** Creates the sign-ups of a process; `secret` is the site's. */
export function createSignUps({
  db,
  passwords,
  secret,
  turns,
  revocations,
  nudgeMailer,
}: {
  db: Db
  passwords: PasswordHasher
  secret: string
  turns: AddressTurns
  revocations: Revocations
  nudgeMailer: () => void
}): SignUps {
  function transact<T>(email: string, work: (tx: Db) => Promise<T>): Promise<T> {
    return turns.take(email, () => runTransaction(db, work))
  }

  /** Keeps a new code for the user, and answers it. */
  async function issueCode(tx: Db, userId: string, now: Date): Promise<string> {
    const code = createEmailCode()
    await replaceEmailCode(tx, {
      userId,
      purpose: PURPOSE,
      digest: digestEmailCode(secret, userId, code),
      createdAt: now,
      expiresAt: new Date(now.getTime() + EMAIL_CODE_LIFETIME_MS),
    })
    return code
  }

  return {
    async signUp({ email, password, name, locale }) {
      const passwordHash = await passwords.hash(password)
      const replaced = await transact(email, async tx => {
        const now = new Date()
        const signUpId = newId()
        await signUpUser(tx, { id: newId(), email, name, passwordHash, locale, signUpId, createdAt: now })
        const found = await findSignedUp(tx, email)
        const isDue = found?.signUpId === signUpId
        const userId = found !== undefined && isDue ? found.id : newId()
        const code = await issueCode(tx, userId, now)
        const mail = { to: email, locale: found?.locale ?? locale, isDecoy: !isDue }
        if (found?.isVerified) await enqueueMail(tx, { ...mail, template: 'account-exists', params: {} })
        else await enqueueMail(tx, { ...mail, template: 'verify-email', params: { code } })
        return (await revokeUnverifiedSessions(tx, userId, now)) > 0 ? userId : null
      })
      nudgeMailer()
      // Not waited for: it would tell that there was a session.
      if (replaced !== null) void revocations.publish({ kind: 'sessions-ended', userId: replaced })
    },

    async verify({ email, code, viewer }) {
      return transact(email, async tx => {
        const now = new Date()
        const found = await lockUserByEmail(tx, email)
        const userId = found?.id ?? newId()
        const key = { userId, purpose: PURPOSE } as const
        await countGuess(tx, key, now)
        const kept = await findEmailCode(tx, key)
        const digest = digestEmailCode(secret, userId, isEmailCode(code) ? code : '')
        const isRight = kept !== undefined && timingSafeEqual(kept.digest, digest)
        if (!isRight || kept.tries > MAX_GUESSES || kept.expiresAt <= now) return 'wrong-code'
        const isContested = found !== undefined && found.signUps > 1
        if (isContested && !(await isOwnSession(tx, userId, viewer))) return 'contested'
        await markEmailVerified(tx, userId, now)
        await deleteEmailCode(tx, key)
        return { userId }
      })
    },

    async resend(email) {
      await transact(email, async tx => {
        const now = new Date()
        const found = await lockUserByEmail(tx, email)
        const former = await findEmailCode(tx, { userId: found?.id ?? newId(), purpose: PURPOSE })
        const isDue = found?.emailVerifiedAt === null && hasCooledDown(former, now)
        const code = await issueCode(tx, found !== undefined && isDue ? found.id : newId(), now)
        const locale = found?.locale ?? 'en'
        await enqueueMail(tx, {
          to: email,
          template: 'verify-email',
          locale,
          params: { code },
          isDecoy: !isDue,
        })
      })
      nudgeMailer()
    },
  }
}

async function isOwnSession(tx: Db, userId: string, viewer: Viewer | null): Promise<boolean> {
  return viewer?.kind === 'user' && viewer.userId === userId && (await isSessionInForce(tx, viewer))
}

/** Whether a person who was mailed this code, or none, may be mailed again. */
export function hasCooledDown(former: { createdAt: Date } | undefined, now: Date): boolean {
  return former === undefined || former.createdAt.getTime() + MAIL_COOL_DOWN_MS <= now.getTime()
}
