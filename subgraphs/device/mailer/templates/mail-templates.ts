import type { MailTemplate as MailTemplateName } from '../../../shared/mail/mail-outbox.ts'
import { accountExists } from './account-exists.ts'
import { alertDigest, alertMail } from './alerts.ts'
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
  alert: alertMail,
  'alert-digest': alertDigest,
} as const satisfies Record<MailTemplateName, unknown>
