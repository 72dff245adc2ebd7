import type { Closable } from '../../shared/lifecycle.ts'

/** A mail as it is to be read, in both forms. */
export interface MailMessage {
  /** UUIDv7 of its row. The Message-ID is made of it, so that a mail that is sent again is known as the same one. */
  readonly id: string
  /** A plain address, as isMailAddress has it. */
  readonly to: string
  /** One line. */
  readonly subject: string
  readonly text: string
  readonly html: string
  /** BCP 47 tag of the language it is written in. */
  readonly locale: string
  /** Takes a POST that ends such mail (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** Where mail goes. */
export interface MailTransport extends Closable {
  /**
   * Resolves once the next one down the way has taken the mail. Rejects with MailRefused when it never will, with
   * anything else when it may another time. Heeds `signal`; an aborted mail may have been taken all the same.
   */
  send(message: MailMessage, signal: AbortSignal): Promise<void>
}

/** Thrown for a mail that can never be sent: it cannot be written, or was refused for good. Has no secret in its text. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}
