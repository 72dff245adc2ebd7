import { describe, expect, it } from 'vitest'
import { createRandom } from '../../shared/testkit/random.ts'
import { findQuietEnd, type QuietHours } from './quiet-hours.ts'

const at = (text: string) => Date.parse(text)
const night = (timezone: string): QuietHours => ({ from: 22 * 60, to: 6 * 60, timezone })
const endOf = (hours: QuietHours, moment: string) => {
  const end = findQuietEnd(hours, at(moment))
  return end === null ? null : new Date(end).toISOString()
}

describe('quiet hours', () => {
  it('end on the same morning, or on the next', () => {
    expect(endOf(night('Asia/Seoul'), '2026-11-30T22:00:00+09:00')).toBe('2026-11-30T21:00:00.000Z')
    expect(endOf(night('Asia/Seoul'), '2026-12-01T05:59:59+09:00')).toBe('2026-11-30T21:00:00.000Z')
    expect(endOf(night('Asia/Seoul'), '2026-12-01T06:00:00+09:00')).toBeNull()
    expect(endOf(night('Asia/Seoul'), '2026-12-01T21:59:59+09:00')).toBeNull()
    const noon = { from: 12 * 60, to: 13 * 60 + 7, timezone: 'Asia/Kolkata' }
    expect(endOf(noon, '2026-12-01T12:30:00+05:30')).toBe('2026-12-01T07:37:00.000Z')
  })

  it('are an hour shorter in the night in which the clock is put forward', () => {
    // Berlin, 29 March 2026, 02:00 → 03:00.
    expect(endOf(night('Europe/Berlin'), '2026-03-28T22:00:00+01:00')).toBe('2026-03-29T04:00:00.000Z')
  })

  it('are an hour longer in the night in which it is put back', () => {
    // New York, 1 November 2026, 02:00 → 01:00.
    expect(endOf(night('America/New_York'), '2026-10-31T22:00:00-04:00')).toBe('2026-11-01T11:00:00.000Z')
  })

  it('end with the leap when the clock leaps over their end', () => {
    const hours = { from: 0, to: 2 * 60 + 30, timezone: 'Europe/Berlin' }
    expect(endOf(hours, '2026-03-29T00:10:00+01:00')).toBe('2026-03-29T01:00:00.000Z')
  })

  it('hold again in the hour that comes twice', () => {
    const hours = { from: 60, to: 2 * 60 + 30, timezone: 'Europe/Berlin' }
    expect(endOf(hours, '2026-10-25T02:10:00+02:00')).toBe('2026-10-25T00:30:00.000Z')
    expect(endOf(hours, '2026-10-25T02:40:00+02:00')).toBeNull()
    expect(endOf(hours, '2026-10-25T02:10:00+01:00')).toBe('2026-10-25T01:30:00.000Z')
  })

  it.each(['Asia/Seoul', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'are found as a walk minute by minute finds them, in %s',
    timezone => {
      const random = createRandom(7)
      const below = (limit: number) => Math.floor(random() * limit)
      for (let i = 0; i < 15; i++) {
        const from = below(1_440)
        const hours = { from, to: (from + 1 + below(1_439)) % 1_440, timezone }
        const start = at('2026-01-01T00:00:00Z') + below(365 * 24 * 60) * 60_000 + below(60_000)
        const end = findQuietEnd(hours, start)
        if (end === null) continue
        expect(findQuietEnd(hours, end), JSON.stringify({ hours, start })).toBeNull()
        for (let moment = end - 60_000; moment > start; moment -= 60_000)
          expect(findQuietEnd(hours, moment), JSON.stringify({ hours, start, moment })).toBe(end)
      }
    },
  )
})
