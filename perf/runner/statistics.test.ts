import { expect, it } from 'vitest'
import { interleave } from './interleave.ts'
import { quantile, ratios, summarise } from './statistics.ts'

it('finds the middle and the middle half of samples in any order', () => {
  expect(summarise([5, 1, 4, 2, 3])).toEqual({
    ...{ median: 3, low: 2, high: 4, band: 2 / 3, count: 5 },
    uncertainty: 4 / 3,
  })
})

it('interpolates between neighbours', () => {
  expect(quantile([1, 2], 0.5)).toBe(1.5)
  expect(quantile([10, 20, 30, 40], 0.25)).toBe(17.5)
})

it('knows a median the better the more samples there are, however far single ones lie apart', () => {
  const samples = (count: number) => Array.from({ length: count }, (_, i) => 100 + (i % 10))
  // Of 30 the 9th and the 22nd, of 100 the 40th and the 61st.
  expect(summarise(samples(30)).uncertainty).toBeCloseTo((107 - 102) / 104.5, 5)
  expect(summarise(samples(100)).uncertainty).toBeCloseTo((106 - 103) / 104.5, 5)
  expect(summarise(samples(1_000)).uncertainty).toBeLessThan(0.011)
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
