import type { DigestInterval, NotificationSettings } from './notification-settings.ts'
import { findQuietEnd } from './quiet-hours.ts'

/** Why an alert waits. */
export type HeldFor = 'QUIET_HOURS' | 'DIGEST' | 'STORM' | 'FLAPPING'

/** When an alert goes out. */
export type DeliveryTime =
  /** At once, by itself. */
  | { readonly heldFor: null }
  /** With what else is held until then, in epoch milliseconds. */
  | { readonly heldFor: HeldFor; readonly dueAt: number }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What comes in a storm, or of a device that comes and goes, is told together so often. */
const CALM_MS = 10 * MINUTE_MS

/** The hour of daily digests, by the clock of the space. */
const DAILY_HOUR = 8

/** What bears on when an alert goes out, besides its recipient's settings. */
export interface Circumstances {
  /** Epoch milliseconds. */
  readonly now: number
  /** Time zone of the space. */
  readonly timezone: string
  /** The recipient was told of so much lately that more of it is told together. */
  readonly isStorm: boolean
  /** The recipient was told of this device's absences lately. */
  readonly isFlapping: boolean
}

/** Decides when an alert goes out. Held ones never go out in quiet hours either. */
export function decideDeliveryTime(
  { quietHours, digest }: Pick<NotificationSettings, 'quietHours' | 'digest'>,
  { now, timezone, isStorm, isFlapping }: Circumstances,
): DeliveryTime {
  const afterQuiet = (at: number) => (quietHours === null ? null : findQuietEnd(quietHours, at))
  const held = (heldFor: HeldFor, at: number): DeliveryTime => ({ heldFor, dueAt: afterQuiet(at) ?? at })
  if (digest !== 'OFF') return held('DIGEST', findDigestTime(digest, timezone, now))
  const quietEnd = afterQuiet(now)
  if (quietEnd !== null) return { heldFor: 'QUIET_HOURS', dueAt: quietEnd }
  if (isStorm) return held('STORM', nextMultiple(now, CALM_MS))
  if (isFlapping) return held('FLAPPING', nextMultiple(now, HOUR_MS))
  return { heldFor: null }
}

/** When the next digest is due. */
function findDigestTime(digest: Exclude<DigestInterval, 'OFF'>, timezone: string, now: number): number {
  if (digest === 'HOURLY') return nextMultiple(now, HOUR_MS)
  // All the day but its eighth hour is a rest whose end is the eighth hour; within that one the rest begins anew.
  const rest = { from: DAILY_HOUR * 60 + 1, to: DAILY_HOUR * 60, timezone }
  return findQuietEnd(rest, now) ?? findQuietEnd(rest, now + MINUTE_MS) ?? now
}

function nextMultiple(now: number, intervalMs: number): number {
  return (Math.floor(now / intervalMs) + 1) * intervalMs
}
