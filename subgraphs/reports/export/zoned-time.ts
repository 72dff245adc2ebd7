/** No zone changes its offset but at a quarter of an hour, UTC. */
const QUARTER_MS = 900_000

/** Quarters whose offset is remembered; past it all are forgotten. */
const MAX_QUARTERS = 20_000

const MINUTE_MS = 60_000

/**
 * Creates the writing of moments (epoch milliseconds) as the clocks of a time zone show them, ISO-8601 with milliseconds
 * and offset: `2026-03-29T03:00:00.000+02:00`. UTC is `Z`. Quick where the next moment is mostly of the same minute.
 */
export function createZonedTime(timeZone: string): (epochMs: number) => string {
  const offsetAt = timeZone === 'UTC' ? () => UTC : createOffsets(timeZone)
  let minute = Number.NaN
  let shown = ''
  let offset = UTC
  return epochMs => {
    const ofMoment = Math.floor(epochMs / MINUTE_MS)
    if (ofMoment !== minute) {
      minute = ofMoment
      offset = offsetAt(epochMs)
      // To the colon before the seconds: offsets are whole minutes.
      shown = new Date(minute * MINUTE_MS + offset.ms).toISOString().slice(0, -'00.000Z'.length)
    }
    // 100,000 and more, so that noughts in front stay.
    const digits = String(100_000 + epochMs - minute * MINUTE_MS)
    return `${shown}${digits.slice(1, 3)}.${digits.slice(3)}${offset.text}`
  }
}

interface Offset {
  readonly ms: number
  readonly text: string
}

const UTC: Offset = { ms: 0, text: 'Z' }

function createOffsets(timeZone: string): (epochMs: number) => Offset {
  const clock = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Map<number, Offset>()
  return epochMs => {
    const quarter = Math.floor(epochMs / QUARTER_MS)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      if (offsets.size >= MAX_QUARTERS) offsets.clear()
      offset = readOffset(clock, quarter * QUARTER_MS)
      offsets.set(quarter, offset)
    }
    return offset
  }
}

function readOffset(clock: Intl.DateTimeFormat, epochMs: number): Offset {
  const name = clock.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // `GMT` alone, or `GMT+05:30`.
  const text = name.slice('GMT'.length) || '+00:00'
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))
  return { ms: minutes * (text.startsWith('-') ? -60_000 : 60_000), text }
}
