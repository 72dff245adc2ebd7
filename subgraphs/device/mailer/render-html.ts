import type { MailLocale } from '../../shared/mail/mail-outbox.ts'
import { MAIL_FOOTER, UNSUBSCRIBE } from './mail-footer.ts'
import type { MailBlock, MailContent } from './templates/template.ts'

const FONT = "-apple-system,'Segoe UI','Malgun Gothic','Apple SD Gothic Neo',Roboto,sans-serif"

/**
 * Writes a mail as HTML: no images, scripts or foreign parts. It sets no colours for text and ground, and says that it
 * can be read in both schemes, so that a dark mail program shows it dark.
 */
export function renderHtml({ subject, blocks, unsubscribeUrl }: MailContent, locale: MailLocale): string {
  const unsubscribe =
    unsubscribeUrl === undefined
      ? ''
      : `<br><a href="${escapeHtml(unsubscribeUrl)}">${UNSUBSCRIBE[locale]}</a>`
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark; }</style>
</head>
<body style="margin:0;padding:24px;font:16px/1.6 ${FONT}">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700;letter-spacing:1px">NUVION</p>
${blocks.map(renderBlock).join('\n')}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #8884;font-size:13px;opacity:.75">${MAIL_FOOTER[locale]}${unsubscribe}</p>
</div>
</body>
</html>
`
}

/** Escapes text for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

function renderBlock(block: MailBlock): string {
  const text = escapeHtml(block.text)
  switch (block.type) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${text}</p>`
    case 'code':
      return `<p style="margin:0 0 16px;padding:12px 16px;border:1px solid #8888;border-radius:8px;font:700 20px/1.4 Consolas,Menlo,monospace;letter-spacing:1px;overflow-wrap:anywhere">${text}</p>`
    case 'link': {
      const url = escapeHtml(block.url)
      return `<p style="margin:0 0 8px"><a href="${url}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#1d5fd1;color:#ffffff;font-weight:700;text-decoration:none">${text}</a></p>
<p style="margin:0 0 16px;font-size:13px;overflow-wrap:anywhere">${url}</p>`
    }
  }
}
