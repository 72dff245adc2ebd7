/** The middle of some samples and how far they spread. */
export interface Summary {
  readonly median: number
  /** The middle half of the samples lies between these. */
  readonly low: number
  readonly high: number
  /** (high − low) ÷ median: the noise band of single samples, as a share. */
  readonly band: number
  /**
   * How well the median is known: the width of its 95 % interval ÷ the median. The interval lies between two of the
   * sorted samples (order statistics), so nothing is assumed of how they are distributed.
   */
  readonly uncertainty: number
  readonly count: number
}

/**
 * The value below which a share of the samples lies, 0 to 1, between neighbours by linear interpolation.
 * NaN without samples.
 */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

/** Summarises samples; every figure is NaN without them. */
export function summarise(samples: readonly number[]): Summary {
  const median = quantile(samples, 0.5)
  const low = quantile(samples, 0.25)
  const high = quantile(samples, 0.75)
  const sorted = samples.toSorted((a, b) => a - b)
  const reach = 0.98 * Math.sqrt(sorted.length)
  const first = sorted[Math.max(0, Math.floor(sorted.length / 2 - reach) - 1)] ?? Number.NaN
  const last = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length / 2 + reach))] ?? Number.NaN
  const band = (high - low) / median
  return { median, low, high, band, uncertainty: (last - first) / median, count: sorted.length }
}

/** Ours ÷ theirs round by round: what disturbs a whole round disturbs both. Throws when the rounds do not pair up. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  if (ours.length !== theirs.length)
    throw new TypeError(`Expected as many rounds of theirs as of ours, ${ours.length}, got ${theirs.length}.`)
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
}
