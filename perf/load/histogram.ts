/** Buckets of each power of two: the value of a bucket is at most 1/128 (0.8 %) away from what went in. */
const PARTS = 128

/** A histogram as it travels between processes: pairs of bucket and count. */
export type SparseHistogram = readonly (readonly [bucket: number, count: number])[]

/**
 * Latencies by logarithmic buckets. Histograms can be added up, which percentiles cannot: those of a run are read from
 * the sum of its histograms alone.
 */
export interface Histogram {
  readonly count: number
  /** NaN while empty; as exact as a bucket. */
  readonly max: number
  /** Counts a value in milliseconds, to the microsecond; what is below 0 counts as 0. */
  add(valueMs: number): void
  merge(other: SparseHistogram): void
  /** The value below which a share of the values lies, 0 to 1, in milliseconds. NaN while empty. */
  quantile(share: number): number
  toSparse(): SparseHistogram
}

/** Creates a histogram, empty or of what another one has told. */
export function createHistogram(from: SparseHistogram = []): Histogram {
  const counts = new Map<number, number>()
  let count = 0
  let maxBucket = Number.NaN
  const put = (bucket: number, times: number) => {
    counts.set(bucket, (counts.get(bucket) ?? 0) + times)
    count += times
    if (!(bucket <= maxBucket)) maxBucket = bucket
  }
  const histogram: Histogram = {
    get count() {
      return count
    },
    get max() {
      return middleOf(maxBucket)
    },
    add: valueMs => put(bucketOf(valueMs), 1),
    merge(other) {
      for (const [bucket, times] of other) put(bucket, times)
    },
    quantile(share) {
      const rank = Math.max(1, Math.ceil(share * count))
      let seen = 0
      for (const bucket of [...counts.keys()].sort((a, b) => a - b)) {
        seen += counts.get(bucket) ?? 0
        if (seen >= rank) return middleOf(bucket)
      }
      return Number.NaN
    },
    toSparse: () => [...counts],
  }
  histogram.merge(from)
  return histogram
}

/** Adds histograms up. */
export function mergeHistograms(parts: Iterable<SparseHistogram>): Histogram {
  const sum = createHistogram()
  for (const part of parts) sum.merge(part)
  return sum
}

/** Microseconds up to PARTS have buckets of their own; beyond, each power of two has PARTS of them. */
function bucketOf(valueMs: number): number {
  if (Number.isNaN(valueMs)) throw new TypeError('Expected a latency in milliseconds, got NaN.')
  const us = Math.max(0, Math.round(valueMs * 1_000))
  if (us < PARTS) return us
  const power = Math.floor(Math.log2(us / PARTS))
  return PARTS * (power + 1) + Math.floor(us / 2 ** power) - PARTS
}

/** The middle of a bucket, in milliseconds. */
function middleOf(bucket: number): number {
  if (bucket < PARTS) return bucket / 1_000
  const power = Math.floor(bucket / PARTS) - 1
  return (((bucket % PARTS) + PARTS + 0.5) * 2 ** power) / 1_000
}
