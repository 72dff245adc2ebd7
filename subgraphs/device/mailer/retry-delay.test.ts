import { describe, expect, it } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describe('retryDelayMs', () => {
  it('begins at a minute, doubles to six hours and varies', () => {
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 2],
      [5, 16],
      [30_000, 360],
    ] as const) {
      const delays = Array.from({ length: 200 }, () => retryDelayMs(attempts, 0) ?? 0)
      expect(Math.max(...delays)).toBeLessThanOrEqual(minutes * MINUTE_MS)
      expect(Math.min(...delays)).toBeGreaterThanOrEqual((minutes * MINUTE_MS * 2) / 3 - 1)
      expect(new Set(delays).size).toBeGreaterThan(100)
    }
  })

  it('makes the last attempt when the mail is a day old, after no more than 20 attempts', () => {
    let ageMs = 0
    let attempts = 1
    for (let delayMs = retryDelayMs(attempts, ageMs); delayMs !== null; attempts++) {
      ageMs += delayMs
      delayMs = retryDelayMs(attempts + 1, ageMs)
    }
    expect(ageMs).toBeGreaterThanOrEqual(DAY_MS)
    expect(ageMs).toBeLessThan(DAY_MS + MINUTE_MS)
    expect(attempts).toBeLessThan(20)
  })
})
