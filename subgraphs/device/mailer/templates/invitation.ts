import { z } from 'zod'
import { toOneLine } from '../one-line.ts'
import { tokenLink } from './site-link.ts'
import { link, type MailTemplate, paragraph } from './template.ts'

const ROLE_NAMES = {
  ko: { OWNER: '소유자', ADMIN: '관리자', OPERATOR: '운영자', VIEWER: '열람자' },
  en: { OWNER: 'owner', ADMIN: 'administrator', OPERATOR: 'operator', VIEWER: 'viewer' },
} as const

/** Names are what users have typed: one line, and no longer than can be read. */
const name = z
  .string()
  .min(1)
  .transform(text => toOneLine(text, 60))

const params = z.object({
  spaceName: name,
  inviterName: name,
  role: z.enum(['OWNER', 'ADMIN', 'OPERATOR', 'VIEWER']),
  token: z.string().regex(/^[\w.~-]{16,512}$/),
  /** ISO 8601; not spoken of when it is not said. */
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform(text => new Date(text))
    .optional(),
})

/** Invites somebody, who may have no account yet, into a space. */
export const invitation: MailTemplate<z.infer<typeof params>> = {
  params,
  write: {
    ko: ({ spaceName, inviterName, role, token, expiresAt }, site) => ({
      subject: `[NUVION] ‘${spaceName}’ 스페이스 초대 안내`,
      blocks: [
        paragraph('안녕하십니까.'),
        paragraph(
          `‘${inviterName}’ 님이 ‘${spaceName}’ 스페이스에 ${ROLE_NAMES.ko[role]} 역할로 참여하시도록 고객님을 초대하였습니다.`,
        ),
        link('초대 수락', tokenLink('invitation', token, site)),
        ...(expiresAt === undefined
          ? []
          : [paragraph(`이 초대는 ${formatMoment(expiresAt, 'ko-KR', 'Asia/Seoul')}까지 유효합니다.`)]),
        paragraph('초대한 사람을 모르시거나 잘못 받으신 경우에는 이 메일을 무시하셔도 됩니다.'),
      ],
    }),
    en: ({ spaceName, inviterName, role, token, expiresAt }, site) => ({
      subject: `[NUVION] Invitation to the space “${spaceName}”`,
      blocks: [
        paragraph('Hello.'),
        paragraph(
          `“${inviterName}” has invited you to join the space “${spaceName}” in the role of ${ROLE_NAMES.en[role]}.`,
        ),
        link('Accept the invitation', tokenLink('invitation', token, site)),
        ...(expiresAt === undefined
          ? []
          : [paragraph(`This invitation is valid until ${formatMoment(expiresAt, 'en-GB', 'UTC')}.`)]),
        paragraph(
          'If you do not know the sender or were not expecting this, you can safely ignore this email.',
        ),
      ],
    }),
  },
}

/** A moment to the minute with its zone: whoever reads it may be in another one. */
function formatMoment(moment: Date, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(moment)
}
