import { expect, it } from 'vitest'
import { quantile } from '../runner/statistics.ts'
import { createHistogram, mergeHistograms } from './histogram.ts'

/** Latencies of two servers of which one is slow: the mean of their p95 is that of nobody. */
const fast = Array.from({ length: 900 }, (_, i) => 1 + i / 900)
const slow = Array.from({ length: 100 }, (_, i) => 500 + i)

it('reads quantiles within a hundredth of the samples', () => {
  const samples = Array.from({ length: 20_000 }, (_, i) => 0.05 * 1.0006 ** i)
  const histogram = createHistogram()
  for (const sample of samples) histogram.add(sample)
  for (const share of [0.01, 0.5, 0.95, 0.99, 0.999]) {
    const exact = quantile(samples, share)
    expect(Math.abs(histogram.quantile(share) - exact) / exact).toBeLessThan(0.01)
  }
  expect(histogram.count).toBe(20_000)
})

it('adds up to the histogram of all samples, however they were split', () => {
  const [a, b, all] = [createHistogram(), createHistogram(), createHistogram()]
  for (const value of fast) a.add(value)
  for (const value of slow) b.add(value)
  for (const value of [...fast, ...slow]) all.add(value)
  const sum = mergeHistograms([a.toSparse(), JSON.parse(JSON.stringify(b.toSparse()))])
  for (const share of [0.5, 0.89, 0.95, 0.99]) expect(sum.quantile(share)).toBe(all.quantile(share))
  expect(sum.quantile(0.95)).toBeGreaterThan(540)
  expect((a.quantile(0.95) + b.quantile(0.95)) / 2).toBeLessThan(300)
})

it('keeps the ends: nothing, zero, one value, an hour', () => {
  const histogram = createHistogram()
  expect(histogram.quantile(0.5)).toBeNaN()
  expect(histogram.max).toBeNaN()
  histogram.add(-1)
  expect(histogram.quantile(0.99)).toBe(0)
  histogram.add(3_600_000)
  expect(histogram.max / 3_600_000).toBeCloseTo(1, 2)
  expect(histogram.quantile(1)).toBe(histogram.max)
  expect(() => histogram.add(Number.NaN)).toThrow('Expected a latency')
})
