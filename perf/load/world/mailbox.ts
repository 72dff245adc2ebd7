import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 100
const MAIL_DEADLINE_MS = 30_000

/** Mails that the product has written to files, as it does without a mail server. */
export interface Mailbox {
  /** Waits for a mail to the address that was not taken yet and has what the pattern finds; answers its first group. */
  take(email: string, pattern: RegExp): Promise<string>
}

/** Opens the mails of a folder; those of before are not looked at. */
export async function openMailbox(dir: string): Promise<Mailbox> {
  const known = new Set(await listMails(dir))
  const mails = new Map<string, string>()

  async function readNew(): Promise<void> {
    for (const name of await listMails(dir)) {
      if (known.has(name)) continue
      known.add(name)
      mails.set(name, decodeQuotedPrintable(await readFile(join(dir, name), 'utf8')))
    }
  }

  return {
    async take(email, pattern) {
      for (
        const deadline = Date.now() + MAIL_DEADLINE_MS;
        Date.now() < deadline;
        await sleep(POLL_INTERVAL_MS)
      ) {
        await readNew()
        for (const [name, mail] of mails) {
          const found = mail.includes(email) ? pattern.exec(mail)?.[1] : undefined
          if (found === undefined) continue
          mails.delete(name)
          return found
        }
      }
      throw new Error(`No mail to ${email} came to ${dir} in ${MAIL_DEADLINE_MS / 1_000} s.`)
    },
  }
}

async function listMails(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter(name => name.endsWith('.eml')).sort()
  } catch {
    return []
  }
}

function decodeQuotedPrintable(mail: string): string {
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
