import { expect, it } from 'vitest'
import { addState, toHistory } from './state-history.ts'

const iso = (ms: number) => new Date(ms).toISOString()

const history = toHistory([
  { __typename: 'StatusChange', at: iso(0), status: 'IDLE' },
  { __typename: 'MetricSample', key: 'heat', at: iso(60_000), last: 5, min: 4, max: 6 },
])

it('adds what a state tells to the minute it is of', () => {
  const grown = addState(history, { status: 'RUNNING', metrics: { heat: 9, note: 'x' }, at: 90_000 })
  expect(grown.statuses).toEqual([
    { at: 0, status: 'IDLE' },
    { at: 90_000, status: 'RUNNING' },
  ])
  expect(grown.metrics.get('heat')).toEqual({ times: [60_000], last: [9], min: [4], max: [9] })
  const next = addState(grown, { status: 'RUNNING', metrics: { heat: 1, cold: 2 }, at: 121_000 })
  expect(next.statuses).toHaveLength(2)
  expect(next.metrics.get('heat')).toEqual({
    times: [60_000, 120_000],
    last: [9, 1],
    min: [4, 1],
    max: [9, 1],
  })
  expect(next.metrics.get('cold')).toEqual({ times: [120_000], last: [2], min: [2], max: [2] })
})

it('leaves out a state of before what is known', () => {
  const grown = addState(history, { status: 'RUNNING', metrics: null, at: 90_000 })
  expect(addState(grown, { status: 'ERROR', metrics: { heat: 1 }, at: 80_000 })).toBe(grown)
})
