import { expect, it } from 'vitest'
import { planSize } from './sizing.ts'

const EXPECTATION = { dau: 10_000, visits: 5, peak: 10, pauses: 3, thinkSeconds: 3, latencySeconds: 0.5 }

it('makes 5.8 requests a second and 55 people of the figures of the seed', () => {
  const { meanRate, peakRate, virtualUsers } = planSize(EXPECTATION)
  expect(meanRate).toBeCloseTo(0.579, 3)
  expect(peakRate.toFixed(1)).toBe('5.8')
  expect(Math.round(virtualUsers)).toBe(55)
})

it('refuses what is no figure', () => {
  expect(() => planSize({ ...EXPECTATION, dau: Number.NaN })).toThrow('dau')
  expect(() => planSize({ ...EXPECTATION, peak: -1 })).toThrow('peak')
})
