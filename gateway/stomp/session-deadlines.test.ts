import { expect, it } from 'vitest'
import { createSessionDeadlines } from './session-deadlines.ts'

it('silence passes only after a second look, and anything heard between the two ends the doubt', () => {
  const deadlines = createSessionDeadlines(0)
  deadlines.heard(1_000)
  expect(deadlines.checkSilence(5_000, 10_000, false)).toEqual({ remainingMs: 6_000 })
  expect(deadlines.checkSilence(11_000, 10_000, false)).toEqual({ remainingMs: 100 })
  deadlines.heard(11_050)
  expect(deadlines.checkSilence(11_100, 10_000, false)).toEqual({ remainingMs: 9_950 })
  expect(deadlines.checkSilence(21_050, 10_000, false)).toEqual({ remainingMs: 100 })
  expect(deadlines.checkSilence(21_150, 10_000, false)).toBe('passed')
})

it('neither silence nor CONNECT runs over a pause', () => {
  const deadlines = createSessionDeadlines(0)
  expect(deadlines.checkSilence(50_000, 10_000, true)).toEqual({ remainingMs: 10_000 })
  expect(deadlines.checkConnect(50_000, 10_000, true)).toEqual({ remainingMs: 10_000 })
  deadlines.restart(55_000)
  expect(deadlines.checkSilence(60_000, 10_000, false)).toEqual({ remainingMs: 5_000 })
  expect(deadlines.checkConnect(60_000, 10_000, false)).toBe('passed')
})

it('bytes that are no CONNECT do not move its deadline', () => {
  const deadlines = createSessionDeadlines(0)
  deadlines.heard(9_000)
  expect(deadlines.checkConnect(10_000, 10_000, false)).toBe('passed')
})
