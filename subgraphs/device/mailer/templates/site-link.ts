import { MailRefused } from '../mail-transport.ts'
import type { MailSite } from './template.ts'

/** Longest link. */
const MAX_LENGTH = 2_000

/**
 * The address of a page of the site: `url` is a path, or whole. Throws MailRefused when it leads off the site: mail
 * of ours never sends people elsewhere.
 */
export function siteLink(url: string, { publicUrl }: MailSite): string {
  const resolved = URL.parse(url, publicUrl)
  const isOurs =
    resolved !== null && resolved.origin === new URL(publicUrl).origin && resolved.username === ''
  if (!isOurs || resolved.href.length > MAX_LENGTH) throw new MailRefused('Its link leads off the site')
  return resolved.href
}
