import type { Parsed } from './parsed.ts'

/** `Area/City` with at most one part between. */
const ZONE = /^[A-Za-z]+(\/[A-Za-z_-]+){1,2}$/
const MAX_LENGTH = 64

let spellings: ReadonlyMap<string, string> | undefined

/**
 * Reads the name of an IANA time zone, in any case: `Area/City` or `UTC`. Answers it in its usual spelling, an older
 * name of a zone (`US/Pacific`) as it was written.
 *
 * Refuses offsets (`+09:00`, `Etc/GMT-9`, whose sign is the other way round) and abbreviations (`EST`): they know no
 * daylight saving.
 */
export function parseTimezone(text: string): Parsed {
  const problem = { problem: 'is no time zone, such as Asia/Seoul or UTC.' }
  if (text.length > MAX_LENGTH) return problem
  spellings ??= new Map(Intl.supportedValuesOf('timeZone').map(name => [name.toLowerCase(), name]))
  if (/^(etc\/)?utc$/i.test(text)) return { value: 'UTC' }
  if (!ZONE.test(text) || /^etc\//i.test(text) || !isKnown(text)) return problem
  return { value: spellings.get(text.toLowerCase()) ?? text }
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
