const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Shortest and longest pause between attempts. */
const BASE_MS = MINUTE_MS
const MAX_MS = 6 * HOUR_MS

/** How long a mail is tried. */
const GIVE_UP_AFTER_MS = 24 * HOUR_MS

/**
 * Milliseconds until the next attempt at a mail after `attempts` that failed, `ageMs` after it was written: doubles
 * from 1 min to 6 h, less up to a third of it by chance. The last attempt is when the mail is 24 h old; null after it.
 */
export function retryDelayMs(attempts: number, ageMs: number): number | null {
  const restMs = GIVE_UP_AFTER_MS - ageMs
  if (restMs <= 0) return null
  const delayMs = Math.min(MAX_MS, BASE_MS * 2 ** Math.min(attempts - 1, 30))
  return Math.min(Math.max(restMs, BASE_MS), Math.round(delayMs * (1 - Math.random() / 3)))
}
