import type { Site } from '../site.ts'

/** Warns of what is not configured of mail. A site with a database of its own has people who wait for mail. */
export function warnOfMail({ config, logger }: Pick<Site, 'config' | 'logger'>): void {
  if (config.smtp === null) {
    const text = 'Mail is written to files in NUVION_DATA/mail: set NUVION_SMTP_URL and NUVION_MAIL_FROM.'
    logger.warn({ text }, 'config.no_mail_server')
  }
  if (config.publicUrl === null) {
    logger.warn({ text: 'Links in mails lead to localhost: set NUVION_PUBLIC_URL.' }, 'config.no_public_url')
  }
}
