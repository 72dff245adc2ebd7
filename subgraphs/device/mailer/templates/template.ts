import type { z } from 'zod'
import type { MailLocale } from '../../../shared/mail/mail-outbox.ts'

/** A part of a mail; texts are plain and are escaped where they are shown. */
export type MailBlock =
  | { readonly type: 'paragraph'; readonly text: string }
  /** To be typed or copied. */
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'link'; readonly text: string; readonly url: string }

/** What a mail says. */
export interface MailContent {
  readonly subject: string
  readonly blocks: readonly MailBlock[]
  /** Where such mail is ended, by who opens it and by mail programs (RFC 8058); for mail that comes without asking. */
  readonly unsubscribeUrl?: string
}

/** What of the site a mail speaks of. */
export interface MailSite {
  /** Origin that people open, such as https://nuvion.example.com. */
  readonly publicUrl: string
}

/** A mail in all its languages. */
export interface MailTemplate<Params> {
  /** What it wants to know. */
  readonly params: z.ZodType<Params>
  readonly write: Readonly<Record<MailLocale, (params: Params, site: MailSite) => MailContent>>
}

export const paragraph = (text: string): MailBlock => ({ type: 'paragraph', text })
export const code = (text: string): MailBlock => ({ type: 'code', text })
export const link = (text: string, url: string): MailBlock => ({ type: 'link', text, url })
