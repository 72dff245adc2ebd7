import { expect, it } from 'vitest'
import {
  chooseQuery,
  createWorkload,
  durationOf,
  isMeasuredAt,
  QUERY_KINDS,
  rampAndHold,
  scheduleMessages,
  scheduleQueries,
} from './workload.ts'

const seed = createWorkload({ suite: 'mixed', scale: 1, isQuick: false })

it('is the workload of the seed unless told otherwise, and scales it', () => {
  expect(seed).toMatchObject({ devices: 50, viewers: 10, queryRate: 20, lines: 4, processes: 4 })
  expect(seed.stages.map(({ durationMs }) => durationMs)).toEqual([60_000, 180_000, 30_000])
  const tenfold = createWorkload({ suite: 'mixed', scale: 10, isQuick: true })
  expect(tenfold).toMatchObject({ devices: 500, viewers: 100, queryRate: 200 })
  expect(durationOf(tenfold)).toBeLessThan(40_000)
})

it('asks at a constant rate, evenly apart', () => {
  const times = [...scheduleQueries(seed)]
  expect(times).toHaveLength(20 * 270)
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
  expect(Math.min(...gaps)).toBeCloseTo(50, 3)
  expect(Math.max(...gaps)).toBeCloseTo(50, 3)
  expect(times.filter(time => isMeasuredAt(seed, time)).length).toBeCloseTo(20 * 180, -1)
})

it('ramps up: half of the requests of the ramp come in its last 29 %', () => {
  const ramp = rampAndHold({ ...seed, queryRate: 20 }, 180_000, 420_000)
  const times = [...scheduleQueries(ramp)]
  const inRamp = times.filter(time => time <= 180_000)
  expect(inRamp).toHaveLength(20 * 90)
  expect(inRamp.filter(time => time < 180_000 * Math.SQRT1_2).length / inRamp.length).toBeCloseTo(0.5, 2)
  expect(times.length - inRamp.length).toBeCloseTo(20 * 420, -1)
  expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true)
})

it('has every device send each kind at its interval, in the order of time', () => {
  const messages = [...scheduleMessages(seed)]
  const count = (kind: string) => messages.filter(message => message.kind === kind).length
  expect([count('log'), count('state'), count('connectivity'), count('anomaly')]).toEqual([
    13_500, 2_700, 1_350, 450,
  ])
  expect(messages.every(({ atMs }, i) => i === 0 || atMs >= (messages[i - 1]?.atMs ?? 0))).toBe(true)
  const own = messages.filter(({ device, kind }) => device === 7 && kind === 'log')
  expect(own.slice(1).every(({ atMs }, i) => Math.abs(atMs - (own[i]?.atMs ?? 0) - 1_000) < 1e-6)).toBe(true)
})

it('mixes queries as the shares say', () => {
  const kinds = Array.from({ length: 1_000 }, (_, nth) => chooseQuery(seed, nth))
  for (const kind of QUERY_KINDS) {
    const share = kinds.filter(chosen => chosen === kind).length / 1_000
    expect(Math.abs(share - seed.queryShares[kind])).toBeLessThan(0.01)
  }
})
