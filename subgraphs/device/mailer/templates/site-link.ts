import type { MailSite } from './template.ts'

/** Address of the page where people sign in. */
export function homeLink({ publicUrl }: MailSite): string {
  return new URL('/', publicUrl).href
}

/**
 * Address of a page that takes a token: `<site>/<page>#token=…`. A fragment stays in the browser: no log of a server
 * and no Referer has the token.
 */
export function tokenLink(
  page: 'reset-password' | 'invitation',
  token: string,
  { publicUrl }: MailSite,
): string {
  const url = new URL(`/${page}`, publicUrl)
  url.hash = `token=${encodeURIComponent(token)}`
  return url.href
}
