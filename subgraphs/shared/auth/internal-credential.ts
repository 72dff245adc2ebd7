import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SubgraphRequest } from '../graphql/subgraph.ts'

/** Header that carries an internal credential from role to role. */
export const INTERNAL_HEADER = 'x-nuvion-internal'

/** How long a sealed credential is good for, in milliseconds: long enough for clocks that differ a little. */
export const INTERNAL_LIFETIME_MS = 60_000

/** What one role tells another about the request it passes on: all of it. */
export type InternalClaims = SubgraphRequest

/**
 * Seals claims for another role: `<base64url(json)>.<base64url(HMAC-SHA-256)>`, good for INTERNAL_LIFETIME_MS.
 *
 * `secret` is shared by all roles of a site.
 */
export function sealInternalCredential(secret: string, claims: InternalClaims, now = Date.now()): string {
  const body = Buffer.from(JSON.stringify({ ...claims, exp: now + INTERNAL_LIFETIME_MS })).toString(
    'base64url',
  )
  return `${body}.${signature(secret, body).toString('base64url')}`
}

/** Opens a sealed credential. Answers null when it is malformed, was sealed with another secret or has expired. */
export function openInternalCredential(
  secret: string,
  sealed: string,
  now = Date.now(),
): InternalClaims | null {
  const dot = sealed.indexOf('.')
  if (dot < 0) return null
  const body = sealed.slice(0, dot)
  const given = Buffer.from(sealed.slice(dot + 1), 'base64url')
  const expected = signature(secret, body)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const { exp, ...claims } = JSON.parse(Buffer.from(body, 'base64url').toString())
  return exp > now ? claims : null
}

function signature(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest()
}
