import { expect, test } from 'vitest'
import {
  fromLocalInput,
  parseTimeRange,
  resolveTimeRange,
  serializeTimeRange,
  toLocalInput,
} from './time-range.ts'

test('A moment keeps its minute through the clock of a zone', () => {
  const moment = new Date('2026-03-01T15:30:00Z')
  expect(toLocalInput(moment, 'Asia/Seoul')).toBe('2026-03-02T00:30')
  expect(fromLocalInput('2026-03-02T00:30', 'Asia/Seoul')).toEqual(moment)
})

test('Summer time is reckoned with at the moment itself, not at now', () => {
  expect(fromLocalInput('2026-07-01T12:00', 'Europe/Berlin')).toEqual(new Date('2026-07-01T10:00:00Z'))
  expect(fromLocalInput('2026-03-29T03:30', 'Europe/Berlin')).toEqual(new Date('2026-03-29T01:30:00Z'))
})

test('What is no date is no moment', () => {
  expect(fromLocalInput('', 'Asia/Seoul')).toBeUndefined()
})

test('Ranges go through the URL, and what is none is told', () => {
  const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' }
  expect(parseTimeRange(serializeTimeRange(range))).toEqual(range)
  expect(parseTimeRange('24h')).toEqual({ preset: '24h' })
  expect(parseTimeRange('toString')).toBeUndefined()
  expect(parseTimeRange('2026-01-02~2026-01-01')).toBeUndefined()
})

test('A preset ends now', () => {
  expect(resolveTimeRange({ preset: '15m' }, 900_000)).toEqual({ from: new Date(0), to: new Date(900_000) })
})

test('A range in years that the API does not take is none', () => {
  expect(parseTimeRange('-271821-04-20~2026-01-01')).toBeUndefined()
  expect(parseTimeRange('2026-01-01~+275760-09-13')).toBeUndefined()
  expect(parseTimeRange('2026-01-01~2026-01-02')).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
  })
})
