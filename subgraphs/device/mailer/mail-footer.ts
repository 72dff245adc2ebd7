import type { MailLocale } from '../../shared/mail/mail-outbox.ts'

/** What stands under every mail. */
export const MAIL_FOOTER: Readonly<Record<MailLocale, string>> = {
  ko: '이 메일은 NUVION에서 자동으로 발송되었으며 회신하실 수 없습니다.',
  en: 'This email was sent automatically by NUVION. Replies are not read.',
}

/** Names the link by which such mail is ended. */
export const UNSUBSCRIBE: Readonly<Record<MailLocale, string>> = {
  ko: '이 스페이스의 알림 메일 수신 거부',
  en: 'Stop alert mail of this space',
}
