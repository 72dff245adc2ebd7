import { createRequire } from 'node:module'
import type { MailSender } from '../../shared/mail/mail-address.ts'
import type { SmtpAddress } from '../../shared/mail/smtp-address.ts'
import { MailRefused, type MailTransport } from './mail-transport.ts'
import { toNodemailerMessage } from './nodemailer-message.ts'

const require = createRequire(import.meta.url)

export interface SmtpTransportOptions {
  server: SmtpAddress
  from: MailSender
  /** Open connections at most. Default 3. */
  maxConnections?: number
  /** How long connecting, TLS, the greeting, and each answer of the server may take, in milliseconds. Default 20 s. */
  answerDeadlineMs?: number
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string
}

/**
 * Creates a transport that hands mail to an SMTP server over a few connections that it keeps. What the server says
 * for good about the recipient or the text (RFC 5321 §4.2.1, 5yz) is MailRefused; what it says about us (sign-in, TLS,
 * the sender) may be mended by the operator, so the mail waits.
 */
export function createSmtpTransport(options: SmtpTransportOptions): MailTransport {
  const { server, from, maxConnections = 3, answerDeadlineMs = 20_000, ca } = options
  const { host, port, user, password, tls } = server
  const { createTransport } = require('nodemailer') as typeof import('nodemailer')
  const pool = createTransport({
    pool: true,
    host,
    port,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'none',
    ...(ca === undefined ? {} : { tls: { ca } }),
    maxConnections,
    // Once again over a new connection when a kept one turns out to be closed; further attempts are the mailer's.
    maxRequeues: 1,
    connectionTimeout: answerDeadlineMs,
    greetingTimeout: answerDeadlineMs,
    socketTimeout: answerDeadlineMs,
    dnsTimeout: answerDeadlineMs,
    // With a deadline of its own: a server that says nothing is not waited for when all stops.
    socketCloseTimeout: 500,
  })
  return {
    async send(message, signal) {
      try {
        await pool.sendMail({ ...toNodemailerMessage(message, from), signal })
      } catch (error) {
        throw isRefusal(error) ? new MailRefused(describe(error), { cause: error }) : error
      }
    },
    async [Symbol.asyncDispose]() {
      pool.close({ force: true })
    },
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Answers in 5yz to RCPT TO and DATA, less those that ask for another sign-in or order of commands. */
function isRefusal(error: unknown): error is SmtpError {
  if (!(error instanceof Error)) return false
  const { code, command, responseCode } = error as SmtpError
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false
  // Nodemailer's own word: the address cannot be said in SMTP, or not to this server.
  if (responseCode === undefined) return command === 'API'
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  return isAboutMail && responseCode >= 500 && ![503, 530, 534, 535, 538].includes(responseCode)
}

function describe({ command, response, message }: SmtpError): string {
  return `${command}: ${response ?? message}`.slice(0, 500)
}
