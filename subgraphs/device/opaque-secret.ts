import { createHash, createHmac, randomBytes } from 'node:crypto'

/** 256 bits as base64url. */
const SECRET = /^[\w-]{43}$/

/** Makes a secret of 256 random bits, base64url: what devices connect with, and refresh tokens. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Derives the secret that follows another: the same each time, and known only to who has that one and the site's secret. */
export function deriveNextSecret(secret: string, siteSecret: string): string {
  return createHmac('sha256', siteSecret).update(`next refresh token\n${secret}`).digest('base64url')
}

/** Whether a text can be such a secret; nothing else need be looked up. */
export function isSecret(text: string): boolean {
  return SECRET.test(text)
}

/** What is kept of a secret: its SHA-256. So many random bits need no slow hash. */
export function digestSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
