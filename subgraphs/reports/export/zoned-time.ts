/** No zone changes its offset but at a quarter of an hour, UTC. */
const QUARTER_MS = 900_000

/** Quarters whose offset is remembered; past it all are forgotten. */
const MAX_QUARTERS = 20_000

/**
 * Creates the writing of moments (epoch milliseconds) as the clocks of a time zone show them, ISO-8601 with milliseconds
 * and offset: `2026-03-29T03:00:00.000+02:00`. UTC is `Z`.
 */
export function createZonedTime(timeZone: string): (epochMs: number) => string {
  if (timeZone === 'UTC') return epochMs => new Date(epochMs).toISOString()
  const clock = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Map<number, { readonly ms: number; readonly text: string }>()
  return epochMs => {
    const quarter = Math.floor(epochMs / QUARTER_MS)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      if (offsets.size >= MAX_QUARTERS) offsets.clear()
      offset = readOffset(clock, quarter * QUARTER_MS)
      offsets.set(quarter, offset)
    }
    return new Date(epochMs + offset.ms).toISOString().slice(0, -1) + offset.text
  }
}

function readOffset(clock: Intl.DateTimeFormat, epochMs: number): { ms: number; text: string } {
  const name = clock.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // `GMT` alone, or `GMT+05:30`.
  const text = name.slice('GMT'.length) || '+00:00'
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))
  return { ms: minutes * (text.startsWith('-') ? -60_000 : 60_000), text }
}
