import { mailOutbox } from '../../../schema/mysql/device-tables.ts'
import type { Db } from '../mysql/open-mysql.ts'
import { newId } from '../uuid-v7.ts'

/** Language of a mail. */
export type MailLocale = (typeof mailOutbox.$inferInsert)['locale']

/** What each template of a mail needs to know. */
export interface MailParams {
  /** Six digits that prove the address; good for 10 minutes. */
  readonly 'verify-email': { readonly code: string }
  /** Somebody signed up with the address of an account that exists. */
  readonly 'account-exists': Readonly<Record<string, never>>
  /** Sets a new password, once within an hour. */
  readonly 'reset-password': { readonly token: string }
  /** The password has been changed, and by whom does not show. */
  readonly 'password-changed': Readonly<Record<string, never>>
  /** `role` is one of OWNER, ADMIN, OPERATOR, VIEWER; names hold what people typed. */
  readonly invitation: {
    readonly spaceName: string
    readonly inviterName: string
    readonly role: string
    readonly token: string
    /** ISO 8601. */
    readonly expiresAt?: string
  }
  /** Something has happened that the recipient wants to be told of at once. */
  readonly alert: AlertMailItem & AlertMailScope
  /** The same of several things together: `total`, of which some are named. */
  readonly 'alert-digest': AlertMailScope & {
    readonly total: number
    /** Newest first. */
    readonly items: readonly AlertMailItem[]
  }
}

/** Where an alert comes from; names hold what people typed. */
export interface AlertMailScope {
  readonly spaceName: string
  /** Time zone in which the mail speaks. */
  readonly timezone: string
  /** Ends such mail without signing in. */
  readonly unsubscribeToken: string
}

/** What an alert tells of. */
export interface AlertMailItem {
  readonly kind: 'ANOMALY' | 'OFFLINE'
  readonly deviceName: string
  /** ISO 8601. */
  readonly occurredAt: string
  /** Of an anomaly. */
  readonly severity?: string
  readonly type?: string
  readonly message?: string
}

/** Name of a mail's template. */
export type MailTemplate = keyof MailParams

/** A mail to send. */
export interface Mail<T extends MailTemplate = MailTemplate> {
  /** Address as parseEmail answers it. */
  readonly to: string
  readonly template: T
  readonly locale: MailLocale
  readonly params: MailParams[T]
  /** True: written like any other, but never sent, so that it takes as long. Default false. */
  readonly isDecoy?: boolean
}

/**
 * Writes mails in the caller's transaction, one statement, with ids of the caller's: UUIDv7s, each of one mail for good.
 */
export async function enqueueMails(
  tx: Db,
  mails: readonly (Mail & { readonly id: string })[],
): Promise<void> {
  if (mails.length === 0) return
  const now = new Date()
  await tx.insert(mailOutbox).values(
    mails.map(({ id, to: recipient, template, locale, params }) => {
      return { id, recipient, template, locale, params: { ...params }, nextAttemptAt: now, createdAt: now }
    }),
  )
}

/**
 * Writes a mail in the caller's transaction, one statement: it is sent, soon, if that commits, and not if it does not.
 * So no answer waits for a mail server, and no crash loses a mail.
 */
export async function enqueueMail<T extends MailTemplate>(
  tx: Db,
  { to, template, locale, params, isDecoy = false }: Mail<T>,
): Promise<void> {
  const now = new Date()
  const nextAttemptAt = isDecoy ? null : now
  await tx.insert(mailOutbox).values({
    id: newId(),
    recipient: to,
    template,
    locale,
    params: { ...params },
    nextAttemptAt,
    createdAt: now,
  })
}
