import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { TEST_CERTIFICATE } from './certificate.ts'

/** A mail that the server has taken. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | undefined
  readonly isEncrypted: boolean
  readonly raw: string
  readonly mail: Email
}

/** What a server says to a step: an SMTP code and text, nothing ever, or (undefined) that it is fine. */
export type SmtpAnswer = { code: number; text: string } | 'silence' | undefined

export interface TestSmtpServerOptions {
  /** Offers STARTTLS. Default true; `implicit` speaks TLS from the first byte. */
  tls?: boolean | 'implicit'
  /** Wants this sign-in. */
  credentials?: { user: string; password: string }
  onSender?: (address: string) => SmtpAnswer
  onRecipient?: (address: string) => SmtpAnswer
  /** Is asked when the whole text has come. */
  onText?: (mail: ReceivedMail) => SmtpAnswer
}

/** A real SMTP server on a free port of loopback. */
export interface TestSmtpServer extends AsyncDisposable {
  /** smtp: or smtps: address, without credentials. */
  readonly url: string
  /** What has come whole, also what was then answered with an error. */
  readonly received: readonly ReceivedMail[]
}

/** Starts an SMTP server that keeps what it is sent. */
export async function startTestSmtpServer(options: TestSmtpServerOptions = {}): Promise<TestSmtpServer> {
  const { tls = true, credentials, onSender, onRecipient, onText } = options
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    ...TEST_CERTIFICATE,
    secure: tls === 'implicit',
    disabledCommands: tls === false ? ['STARTTLS'] : [],
    authOptional: credentials === undefined,
    allowInsecureAuth: tls === false,
    closeTimeout: 50,
    onAuth({ username, password }, _session, done) {
      const isRight = username === credentials?.user && password === credentials?.password
      if (isRight) done(null, { user: username })
      else done(toError({ code: 535, text: 'Who are you?' }))
    },
    onMailFrom: ({ address }, _session, done) => answer(onSender?.(address), done),
    onRcptTo: ({ address }, _session, done) => answer(onRecipient?.(address), done),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        const raw = Buffer.concat(chunks)
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          isEncrypted: session.secure,
          raw: raw.toString('latin1'),
          mail: await PostalMime.parse(raw),
        }
        received.push(mail)
        answer(onText?.(mail), done)
      })
    },
  })
  // A client that breaks off is what some tests are about.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      await new Promise<void>(resolve => server.close(resolve))
    },
  }
}

function answer(said: SmtpAnswer, done: (error?: Error | null) => void): void {
  if (said === 'silence') return
  done(said === undefined ? null : toError(said))
}

function toError({ code, text }: { code: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: code })
}
