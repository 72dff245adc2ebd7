import type { SendMailOptions } from 'nodemailer'
import { isMailAddress, type MailSender } from '../../shared/mail/mail-address.ts'
import { type MailMessage, MailRefused } from './mail-transport.ts'
import { toOneLine } from './one-line.ts'

/** Characters of a subject; what comes after is not shown anywhere. */
const MAX_SUBJECT_LENGTH = 150

/**
 * A mail in nodemailer's words. Its envelope is said apart from its headers, and nothing in it is read as a path or an
 * address to fetch. Throws MailRefused when the recipient is not one plain address.
 */
export function toNodemailerMessage(message: MailMessage, from: MailSender): SendMailOptions {
  const { id, to, subject, text, html, locale, unsubscribeUrl } = message
  if (!isMailAddress(to)) throw new MailRefused('The recipient is not a mail address')
  return {
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject: toOneLine(subject, MAX_SUBJECT_LENGTH),
    text,
    html,
    headers: {
      'Content-Language': locale,
      // RFC 3834 §5: nobody's holiday notice answers it.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Lets a mail program end such mail in one click (RFC 8058 §3.1). */
function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
