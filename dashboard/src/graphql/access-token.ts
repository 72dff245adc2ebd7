/** An access token, in memory only, and until when it is good by the clock of this page. */
export interface AccessToken {
  readonly text: string
  /** Epoch milliseconds; from the token's lifetime, because clocks of factories' tablets are off. */
  readonly goodUntil: number
}

const ASSUMED_LIFETIME_MS = 10 * 60_000

/** Reads the lifetime of a token (JWT, RFC 7519 §4.1) that was issued just now. */
export function toAccessToken(text: string, now = Date.now()): AccessToken {
  return { text, goodUntil: now + readLifetimeMs(text) }
}

function readLifetimeMs(text: string): number {
  try {
    const [, body = ''] = text.split('.')
    const { iat, exp } = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
    const lifetimeMs = (exp - iat) * 1000
    return lifetimeMs > 0 ? lifetimeMs : ASSUMED_LIFETIME_MS
  } catch {
    return ASSUMED_LIFETIME_MS
  }
}
