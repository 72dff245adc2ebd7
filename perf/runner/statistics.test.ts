import { expect, it } from 'vitest'
import { interleave } from './interleave.ts'
import { quantile, ratios, summarise } from './statistics.ts'

it('finds the middle and the middle half of samples in any order', () => {
  expect(summarise([5, 1, 4, 2, 3])).toEqual({ median: 3, low: 2, high: 4, band: 2 / 3, count: 5 })
})

it('interpolates between neighbours', () => {
  expect(quantile([1, 2], 0.5)).toBe(1.5)
  expect(quantile([10, 20, 30, 40], 0.25)).toBe(17.5)
})

it('has no figure without samples', () => {
  expect(summarise([]).median).toBeNaN()
})

it('compares ours with theirs round by round, so that a slow round changes nothing', () => {
  expect(summarise(ratios([1, 10, 1], [4, 40, 4]))).toMatchObject({ median: 0.25, band: 0 })
  expect(() => ratios([1], [1, 2])).toThrow(TypeError)
})

it('takes turns, every other round backwards, and keeps the samples by contestant', async () => {
  const order: string[] = []
  const samples = await interleave(['a', 'b', 'c'], 3, async (contestant, round) => {
    order.push(contestant)
    return `${contestant}${round}`
  })
  expect(order.join('')).toBe('abccbaabc')
  expect(samples.get('b')).toEqual(['b0', 'b1', 'b2'])
})
