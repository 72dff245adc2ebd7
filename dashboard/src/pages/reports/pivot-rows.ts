/** A count of a bucket and a group. */
export interface CountedRow {
  /** ISO 8601. */
  readonly bucketStart: string
  /** Names the group. */
  readonly group: string
  readonly total: number
}

/** Counts of all buckets by group, for a plot. */
export interface Pivot {
  /** Begins of the buckets, epoch milliseconds, ascending. */
  readonly times: readonly number[]
  /** The greatest first; `group` undefined is all the others together. */
  readonly series: readonly {
    readonly group: string | undefined
    readonly values: readonly number[]
    readonly total: number
  }[]
  /** Groups that were put together. */
  readonly otherGroups: number
}

/** Turns rows into a series a group, of which the greatest `most` stand alone. */
export function pivotRows(rows: readonly CountedRow[], most: number): Pivot {
  const times = [...new Set(rows.map(({ bucketStart }) => Date.parse(bucketStart)))].sort((a, b) => a - b)
  const indexes = new Map(times.map((time, index) => [time, index]))
  const byGroup = new Map<string, { values: number[]; total: number }>()
  for (const { bucketStart, group, total } of rows) {
    const found = byGroup.get(group) ?? { values: times.map(() => 0), total: 0 }
    byGroup.set(group, found)
    const at = indexes.get(Date.parse(bucketStart)) ?? 0
    found.values[at] = (found.values[at] ?? 0) + total
    found.total += total
  }
  const sorted = [...byGroup].map(([group, one]) => ({ group, ...one })).sort((a, b) => b.total - a.total)
  const isWhole = sorted.length <= most
  const alone = isWhole ? sorted : sorted.slice(0, most - 1)
  const others = isWhole ? [] : sorted.slice(most - 1)
  if (others.length === 0) return { times, series: alone, otherGroups: 0 }
  const together = {
    group: undefined,
    values: times.map((_, at) => others.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
    total: others.reduce((sum, { total }) => sum + total, 0),
  }
  return { times, series: [...alone, together], otherGroups: others.length }
}
