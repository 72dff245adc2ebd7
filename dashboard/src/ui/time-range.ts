/** Range of time: back from now by a preset, or between two moments (ISO 8601, UTC). */
export type TimeRange = { preset: TimePreset } | { from: string; to: string }

export type TimePreset = keyof typeof PRESET_MS

export const PRESET_MS = {
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
} as const

/** The moments of a range, as seen at `now` (ms). */
export function resolveTimeRange(range: TimeRange, now: number): { from: Date; to: Date } {
  return 'preset' in range
    ? { from: new Date(now - PRESET_MS[range.preset]), to: new Date(now) }
    : { from: new Date(range.from), to: new Date(range.to) }
}

/** Text of a range for the URL: "24h" or "<from>~<to>". */
export function serializeTimeRange(range: TimeRange): string {
  return 'preset' in range ? range.preset : `${range.from}~${range.to}`
}

/** Moments that ISO 8601 writes with four digits for the year: the API takes no other. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59Z')

/** Range of a text from the URL; undefined for what is none. */
export function parseTimeRange(text: string): TimeRange | undefined {
  if (Object.hasOwn(PRESET_MS, text)) return { preset: text as TimePreset }
  const [from = '', to = ''] = text.split('~')
  const start = Date.parse(from)
  const end = Date.parse(to)
  if (!(FIRST_MS <= start && start < end && end <= LAST_MS)) return undefined
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

/** A moment as the value of a datetime-local input: what clocks in the zone show. */
export function toLocalInput(moment: Date, timeZone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`
}

/** The moment at which clocks in the zone show the value of a datetime-local input; undefined for what is none. */
export function fromLocalInput(value: string, timeZone: string): Date | undefined {
  const asUtc = Date.parse(`${value}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const offset = (at: number) =>
    Date.parse(`${toLocalInput(new Date(at), timeZone)}Z`) - Math.floor(at / 60_000) * 60_000
  const guess = asUtc - offset(asUtc)
  return new Date(asUtc - offset(guess))
}
