import type { MailLocale } from '../../shared/mail/mail-outbox.ts'
import { type MailMessage, MailRefused } from './mail-transport.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'
import { MAIL_TEMPLATES } from './templates/mail-templates.ts'
import type { MailSite, MailTemplate } from './templates/template.ts'

/** What a row of the outbox says of a mail. */
export interface MailRequest {
  readonly id: string
  readonly to: string
  readonly template: string
  /** Another language than ours is answered in English. */
  readonly locale: string
  readonly params: unknown
}

/**
 * Writes a mail in its language, as text and as HTML. Throws MailRefused when there is no such template or `params`
 * are not what it wants; the message names them and repeats no value.
 */
export function renderMail(request: MailRequest, site: MailSite): MailMessage {
  const { id, to, template: name } = request
  const template = findTemplate(name)
  if (template === undefined)
    throw new MailRefused(`There is no template ${JSON.stringify(name.slice(0, 64))}`)
  const params = template.params.safeParse(request.params)
  if (!params.success) {
    const faults = params.error.issues.map(issue => `${issue.path.join('.') || 'params'}: ${issue.code}`)
    throw new MailRefused(`The params of ${name} cannot be used: ${faults.join(', ')}`)
  }
  const locale = toMailLocale(request.locale)
  const content = template.write[locale](params.data, site)
  return {
    id,
    to,
    locale,
    subject: content.subject,
    text: renderText(content, locale),
    html: renderHtml(content, locale),
    ...(content.unsubscribeUrl === undefined ? {} : { unsubscribeUrl: content.unsubscribeUrl }),
  }
}

function findTemplate(name: string): MailTemplate<unknown> | undefined {
  if (!Object.hasOwn(MAIL_TEMPLATES, name)) return undefined
  return MAIL_TEMPLATES[name as keyof typeof MAIL_TEMPLATES] as MailTemplate<unknown>
}

function toMailLocale(tag: string): MailLocale {
  return tag === 'ko' ? 'ko' : 'en'
}
