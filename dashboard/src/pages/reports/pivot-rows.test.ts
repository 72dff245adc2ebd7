import { expect, it } from 'vitest'
import { pivotRows } from './pivot-rows.ts'

const row = (day: number, group: string, total: number) => ({
  ...{ bucketStart: `2026-03-0${day}T00:00:00Z`, group, total },
})

it('makes a series of each group, the greatest first, with a value for each bucket', () => {
  const { times, series, otherGroups } = pivotRows([row(2, 'a', 1), row(1, 'b', 5), row(2, 'b', 0)], 4)
  expect(times).toEqual([Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)])
  expect(series).toEqual([
    { group: 'b', values: [5, 0], total: 5 },
    { group: 'a', values: [0, 1], total: 1 },
  ])
  expect(otherGroups).toBe(0)
})

it('puts the small groups together, and loses nothing', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].flatMap((group, at) => [row(1, group, at + 1), row(2, group, 10)])
  const { series, otherGroups } = pivotRows(rows, 3)
  expect(series.map(({ group }) => group)).toEqual(['e', 'd', undefined])
  expect(otherGroups).toBe(3)
  expect(series[2]?.values).toEqual([6, 30])
  expect(series.reduce((sum, { total }) => sum + total, 0)).toBe(65)
})

it('has nothing of nothing', () => {
  expect(pivotRows([], 3)).toEqual({ times: [], series: [], otherGroups: 0 })
})
