import { join } from 'node:path'
import type { Config } from '../../shared/config.ts'
import type { Site, Stores } from '../../shared/site.ts'
import type { MailTransport } from './mail-transport.ts'
import { type Mailer, startMailer } from './mailer.ts'

/** Starts the mailer, to an SMTP server or to files, until the process ends. `publicUrl` is where its links lead. */
export async function startMailerPart(
  { config, logger, metrics, lifecycle }: Site,
  { db }: Pick<Stores, 'db'>,
  publicUrl: Promise<string>,
): Promise<Mailer> {
  const transport = await openTransport(config)
  return lifecycle.own('mailer', startMailer({ db, transport, publicUrl, logger, metrics }))
}

/** A site has need of one of the two. */
async function openTransport({ smtp, mailFrom: from, dataDir }: Config): Promise<MailTransport> {
  if (smtp !== null) {
    const { createSmtpTransport } = await import('./smtp-transport.ts')
    return createSmtpTransport({ server: smtp, from })
  }
  const { createFileTransport } = await import('./file-transport.ts')
  return createFileTransport({ dir: join(dataDir, 'mail'), from, tell: line => console.log(line) })
}
