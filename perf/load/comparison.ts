import { summarise } from '../runner/statistics.ts'

/** What can be said of a figure in two sets of runs. */
export interface Comparison {
  readonly name: string
  readonly verdict: 'better' | 'worse' | 'no difference' | 'too few runs'
  readonly before: number
  readonly after: number
  /** (after − before) ÷ before, of the medians. */
  readonly change: number
  /** How far runs of one set lie from their median, as a share of it: the wider of the two sets. */
  readonly noise: number
  /** How often chance alone splits these runs into two sets that far apart. */
  readonly chance: number
}

/** Runs of each set without which chance cannot be told: of 4 and 4 the furthest split comes up twice in 70. */
const MIN_RUNS = 4
const MAX_CHANCE = 0.05

/** Less than this is no difference that anybody would notice, however sure it is. */
const MIN_CHANGE = 0.03

/**
 * Compares a figure of repeated runs: exact permutation test on the difference of the means, and a change of the medians
 * beyond the noise band of the runs themselves. 12 runs a set at most are used, the newest.
 */
export function compareRuns(figure: {
  readonly name: string
  readonly better: 'lower' | 'higher'
  readonly before: readonly number[]
  readonly after: readonly number[]
}): Comparison {
  const { name, better } = figure
  const [before, after] = [figure.before.slice(-12), figure.after.slice(-12)]
  const [first, second] = [summarise(before), summarise(after)]
  const scale = Math.abs(first.median) || Number.NaN
  const change = first.median === second.median ? 0 : (second.median - first.median) / scale
  const noise = Math.max(noiseOf(before, first.median), noiseOf(after, second.median))
  const told = { name, before: first.median, after: second.median, change, noise }
  if (before.length < MIN_RUNS || after.length < MIN_RUNS)
    return { ...told, verdict: 'too few runs', chance: Number.NaN }
  const chance = chanceOfSplit(before, after)
  // From nothing to something is a change without a share.
  const isFar = Number.isNaN(change) || Math.abs(change) > Math.max(MIN_CHANGE, noise)
  if (chance > MAX_CHANCE || !isFar) return { ...told, verdict: 'no difference', chance }
  const isLower = second.median < first.median
  return { ...told, verdict: isLower === (better === 'lower') ? 'better' : 'worse', chance }
}

/** Half of the range of the middle half, as a share of the median: what a single run is off by. */
function noiseOf(samples: readonly number[], median: number): number {
  const { low, high } = summarise(samples)
  return median === 0 ? 0 : (high - low) / 2 / Math.abs(median)
}

/** Share of all splits into sets of these sizes whose means lie at least as far apart. */
function chanceOfSplit(before: readonly number[], after: readonly number[]): number {
  const all = [...before, ...after]
  const total = all.reduce((sum, value) => sum + value, 0)
  const meanGap = (sum: number) => Math.abs(sum / before.length - (total - sum) / after.length)
  const observed = meanGap(before.reduce((sum, value) => sum + value, 0))
  let [splits, asFar] = [0, 0]
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      splits++
      if (meanGap(sum) >= observed - 1e-9 * Math.abs(observed)) asFar++
      return
    }
    for (let i = from; i <= all.length - left; i++) choose(i + 1, left - 1, sum + (all[i] ?? 0))
  }
  choose(0, before.length, 0)
  return asFar / splits
}
