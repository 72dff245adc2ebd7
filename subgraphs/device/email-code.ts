import { createHmac, randomInt } from 'node:crypto'

/** How long a code from a mail is good, in milliseconds. */
export const EMAIL_CODE_LIFETIME_MS = 10 * 60_000

/** Guesses at one code; then it is dead, whatever comes. */
export const MAX_GUESSES = 5

/** A person is not mailed the same again within this time, in milliseconds. */
export const MAIL_COOL_DOWN_MS = 60_000

/** Makes a code of six random digits. */
export function createEmailCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Whether a text can be such a code. */
export function isEmailCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text)
}

/**
 * What is kept of a code that proves the address of a user: HMAC-SHA-256 under a secret of the site, for a million codes
 * are tried in a second by whoever has the table alone.
 */
export function digestEmailCode(secret: string, userId: string, code: string): Buffer {
  return createHmac('sha256', secret).update(`verify-email:${userId}:${code}`).digest()
}
