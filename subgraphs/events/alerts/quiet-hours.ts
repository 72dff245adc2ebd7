/** Hours of each day, in a time zone, in which a person is not to be disturbed; minutes since midnight, 0 to 1439. */
export interface QuietHours {
  readonly from: number
  /** Not equal to `from`; before it means the next day: 22:00 to 06:00. */
  readonly to: number
  /** Name in the IANA time zone database. */
  readonly timezone: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** Clocks are put forward and back at such minutes only: between two of them they run on. */
const STEP_MINUTES = 15

const formats = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATS = 600

/**
 * Answers when the quiet hours that hold at `at` end, in epoch milliseconds; null when none hold.
 *
 * They are read off the clock on the wall: where it is put forward or back they are shorter or longer, and an end that
 * it leaps over comes with the leap. A minute is the finest they know.
 */
export function findQuietEnd(hours: QuietHours, at: number): number | null {
  if (!isQuietAt(hours, wallMinute(hours.timezone, at))) return null
  const first = Math.floor(at / MINUTE_MS)
  let minute = first
  for (; minute < first + 3 * DAY_MINUTES; minute += STEP_MINUTES - (minute % STEP_MINUTES)) {
    const wall = wallMinute(hours.timezone, minute * MINUTE_MS)
    if (!isQuietAt(hours, wall)) break
    const left = (hours.to - wall + DAY_MINUTES) % DAY_MINUTES
    if (left > 0 && left < STEP_MINUTES - (minute % STEP_MINUTES)) return (minute + left) * MINUTE_MS
  }
  return minute * MINUTE_MS
}

function isQuietAt({ from, to }: QuietHours, wall: number): boolean {
  return from < to ? wall >= from && wall < to : wall >= from || wall < to
}

/** What the clock on the wall says at a moment, in minutes since midnight. Throws a RangeError for a zone unknown here. */
function wallMinute(timeZone: string, at: number): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    if (formats.size >= MAX_FORMATS) formats.clear()
    format = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
    formats.set(timeZone, format)
  }
  let minutes = 0
  for (const { type, value } of format.formatToParts(at)) {
    if (type === 'hour') minutes += Number(value) * 60
    if (type === 'minute') minutes += Number(value)
  }
  return minutes
}
