import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { MailSender } from '../../shared/mail/mail-address.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import type { MailTransport } from './mail-transport.ts'
import { toNodemailerMessage } from './nodemailer-message.ts'

const require = createRequire(import.meta.url)

/** Files whose names begin with a time. */
const MAIL_FILE = /^\d{8}T\d{9}Z-.*\.eml$/

export interface FileTransportOptions {
  /** Folder of the files; made (mode 0700) when it is not there. */
  dir: string
  from: MailSender
  /** Is told of each file: `Mail to <address>: <path>`. */
  tell: (line: string) => void
  /** Newest files that are kept. Default 1,000. */
  maxFiles?: number
}

/**
 * Creates a transport that writes each mail as a file (RFC 5322, mode 0600) for who tries the product without a mail
 * server. Files are named by the time and id of the mail and written whole under another name first; a mail that is
 * sent again takes the place of itself.
 */
export function createFileTransport(options: FileTransportOptions): MailTransport {
  const { dir, from, tell, maxFiles = 1_000 } = options

  async function removeOldest(): Promise<void> {
    const names = (await readdir(dir)).filter(name => MAIL_FILE.test(name)).sort()
    const oldest = names.slice(0, Math.max(0, names.length - maxFiles))
    await Promise.all(oldest.map(name => rm(join(dir, name), { force: true })))
  }

  return {
    async send(message, signal) {
      const MailComposer = require('nodemailer/lib/mail-composer')
      const composed: Buffer = await new MailComposer(toNodemailerMessage(message, from)).compile().build()
      signal.throwIfAborted()
      const time = new Date(timeOfId(message.id)).toISOString().replace(/[-:.]/g, '')
      const path = join(dir, `${time}-${message.id}.eml`)
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await writePrivately(path, composed)
      await removeOldest()
      tell(`Mail to ${message.to}: ${path}`)
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** What a crash leaves of a draft is overwritten when its mail is sent again. */
async function writePrivately(path: string, content: Buffer): Promise<void> {
  const draft = `${path}.draft`
  await rm(draft, { force: true })
  {
    await using file = await open(draft, 'wx', 0o600)
    await file.writeFile(content)
    await file.sync()
  }
  await rename(draft, path)
}
