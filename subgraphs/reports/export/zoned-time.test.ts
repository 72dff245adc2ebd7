import { describe, expect, it } from 'vitest'
import { createRandom } from '../../shared/testkit/random.ts'
import { createUtcReader } from './utc-reader.ts'
import { createZonedTime } from './zoned-time.ts'

const ZONES = [
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Seoul',
  'Europe/Berlin',
]

describe('the time of a row', () => {
  it.each(ZONES)('in %s is the moment itself and what clocks there show, milliseconds too', zone => {
    const random = createRandom(3)
    const write = createZonedTime(zone)
    const clock = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    let at = Date.UTC(2025, 11, 31, 23, 59, 59, 990)
    for (let i = 0; i < 3_000; i++) {
      // Steps of less than a second, and of days; back too.
      at += Math.floor((random() - 0.3) * (random() < 0.9 ? 500 : 3 * 86_400_000))
      const text = write(at)
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/)
      expect(Date.parse(text)).toBe(at)
      expect(text.slice(0, 19).replace('T', ' ')).toBe(clock.format(at))
    }
  })

  it('is read from what the database says, with its milliseconds', () => {
    const random = createRandom(5)
    const read = createUtcReader()
    let at = Date.UTC(2026, 2, 29, 0, 59, 58)
    for (let i = 0; i < 3_000; i++) {
      at += Math.floor((random() - 0.3) * (random() < 0.9 ? 900 : 40 * 86_400_000))
      expect(read(new Date(at).toISOString().replace('T', ' ').replace('Z', ''))).toBe(at)
    }
  })
})
