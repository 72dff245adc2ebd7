import type { MailLocale } from '../../shared/mail/mail-outbox.ts'
import { MAIL_FOOTER, UNSUBSCRIBE } from './mail-footer.ts'
import type { MailBlock, MailContent } from './templates/template.ts'

/** Writes a mail as plain text, a paragraph a line. */
export function renderText({ blocks, unsubscribeUrl }: MailContent, locale: MailLocale): string {
  // Two hyphens and a space begin what is not part of the text (RFC 3676 §4.3).
  const unsubscribe = unsubscribeUrl === undefined ? '' : `${UNSUBSCRIBE[locale]}: ${unsubscribeUrl}\n`
  return `${blocks.map(renderBlock).join('\n\n')}\n\n-- \n${MAIL_FOOTER[locale]}\n${unsubscribe}`
}

function renderBlock(block: MailBlock): string {
  if (block.type === 'link') return `${block.text}:\n${block.url}`
  return block.type === 'code' ? `    ${block.text}` : block.text
}
