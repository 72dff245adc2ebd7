import type { z } from 'zod'
import { accountExists } from './account-exists.ts'
import { invitation } from './invitation.ts'
import { passwordChanged } from './password-changed.ts'
import { resetPassword } from './reset-password.ts'
import { verifyEmail } from './verify-email.ts'

/** Every mail there is, by the name that its rows have. */
export const MAIL_TEMPLATES = {
  'verify-email': verifyEmail,
  'account-exists': accountExists,
  'reset-password': resetPassword,
  'password-changed': passwordChanged,
  invitation,
} as const

/** Name of a mail. */
export type MailTemplateName = keyof typeof MAIL_TEMPLATES

/** What a row of each mail must have in `params`. */
export type MailTemplateParams = {
  [Name in MailTemplateName]: z.input<(typeof MAIL_TEMPLATES)[Name]['params']>
}
