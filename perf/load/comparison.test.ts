import { expect, it } from 'vitest'
import { compareRuns } from './comparison.ts'

const compare = (before: number[], after: number[], better: 'lower' | 'higher' = 'lower') =>
  compareRuns({ name: 'p95', better, before, after })

it('says no difference within the noise of the runs', () => {
  expect(compare([20, 24, 19, 26, 21], [22, 25, 20, 23, 27]).verdict).toBe('no difference')
  expect(compare([20, 20, 20, 20], [20, 20, 20, 20])).toMatchObject({ verdict: 'no difference', change: 0 })
})

it('says better and worse beyond it, by what is better', () => {
  const [slow, fast] = [
    [30, 31, 29, 30.5, 30],
    [21, 20, 22, 20.5, 21],
  ]
  expect(compare(slow, fast)).toMatchObject({ verdict: 'better', before: 30, after: 21, change: -0.3 })
  expect(compare(fast, slow).verdict).toBe('worse')
  expect(compare(slow, fast, 'higher').verdict).toBe('worse')
})

it('does not call a difference that nobody would notice', () => {
  expect(compare([100, 100.1, 100.2, 99.9], [101, 101.1, 101.2, 100.9]).verdict).toBe('no difference')
})

it('calls nothing by too few runs, however far apart', () => {
  expect(compare([10, 10, 10], [99, 99, 99]).verdict).toBe('too few runs')
})

it('calls an error where there was none', () => {
  expect(compare([0, 0, 0, 0], [0.1, 0.2, 0.1, 0.3]).verdict).toBe('worse')
})

it('seldom calls a difference between runs of the same', () => {
  let state = 7
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const runs = () => Array.from({ length: 5 }, () => 20 + 10 * random() ** 3)
  const calls = Array.from({ length: 400 }, () => compare(runs(), runs()).verdict)
  expect(calls.filter(verdict => verdict !== 'no difference').length).toBeLessThan(400 * 0.05)
})
