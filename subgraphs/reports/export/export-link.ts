import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ExportRequest } from './export-request.ts'

/** Where links lead to. */
export const EXPORT_PREFIX = '/exports/'

/** How long a link is good for, in milliseconds. */
export const EXPORT_LINK_LIFETIME_MS = 5 * 60_000

/** Longer than a link of the longest filter. */
const MAX_TOKEN_LENGTH = 14_000

/** A link, relative to the address of the site. `expiresAt` is epoch milliseconds. */
export interface ExportLink {
  readonly path: string
  readonly expiresAt: number
}

/**
 * Seals a request: `/exports/<base64url(json)>.<base64url(HMAC-SHA-256)>`, under a key derived from the site's secret.
 * Who has the link may open it; for whom and for what it is, nobody can change. Throws a TypeError on a request that is
 * too long for a link.
 */
export function sealExportLink(secret: string, request: ExportRequest, now = Date.now()): ExportLink {
  const expiresAt = now + EXPORT_LINK_LIFETIME_MS
  const body = Buffer.from(JSON.stringify({ ...request, exp: expiresAt })).toString('base64url')
  const token = `${body}.${signatureOf(secret, body).toString('base64url')}`
  if (token.length > MAX_TOKEN_LENGTH)
    throw new TypeError(`An export request is at most ${MAX_TOKEN_LENGTH} characters, not ${token.length}`)
  return { path: EXPORT_PREFIX + token, expiresAt }
}

/** Opens what follows EXPORT_PREFIX in a link. Null when it was changed, was sealed with another secret, or has expired. */
export function openExportLink(secret: string, token: string, now = Date.now()): ExportRequest | null {
  const dot = token.indexOf('.')
  if (dot < 0 || token.length > MAX_TOKEN_LENGTH) return null
  const body = token.slice(0, dot)
  // Compared as text: several texts decode to the same bytes.
  const given = Buffer.from(token.slice(dot + 1))
  const expected = Buffer.from(signatureOf(secret, body).toString('base64url'))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const { exp, ...request } = JSON.parse(Buffer.from(body, 'base64url').toString())
  return exp > now ? request : null
}

function signatureOf(secret: string, body: string): Buffer {
  const key = createHmac('sha256', secret).update('export-link').digest()
  return createHmac('sha256', key).update(body).digest()
}
