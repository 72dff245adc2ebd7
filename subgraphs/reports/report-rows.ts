import { AppError } from '../shared/errors.ts'

/** Sums of a bucket and a key, of which each count that is not alone is a row of its own. */
export interface BucketSum {
  /** Place of the bucket among the report's. */
  readonly bucket: number
  readonly keys: readonly string[]
  readonly counts: readonly number[]
}

/** A row of a report before it has its names. */
export interface ReportRow {
  readonly bucket: number
  readonly keys: readonly string[]
  /** Place of the count among the sums', the least severity first; null when all counts are one. */
  readonly severity: number | null
  readonly total: number
}

/** Rows that one report may have. */
export const MAX_REPORT_ROWS = 10_000

/**
 * Makes the rows of a report: one for each bucket and each group that occurs, by bucket, keys and severity. Without keys
 * and severities there is one group, which occurs always. Throws BAD_USER_INPUT at more than MAX_REPORT_ROWS.
 *
 * @param isBySeverity Whether each count is a group of its own; else they are added up.
 */
export function fillReportRows(
  sums: readonly BucketSum[],
  { bucketCount, keyCount, isBySeverity }: { bucketCount: number; keyCount: number; isBySeverity: boolean },
): ReportRow[] {
  if (sums.length > MAX_REPORT_ROWS) throw tooManyRows()
  const groups = new Map<string, { keys: readonly string[]; severity: number | null; totals: number[] }>()
  const groupOf = (keys: readonly string[], severity: number | null) => {
    const name = JSON.stringify([keys, severity])
    let group = groups.get(name)
    if (group === undefined) {
      if ((groups.size + 1) * bucketCount > MAX_REPORT_ROWS) throw tooManyRows()
      group = { keys, severity, totals: Array.from({ length: bucketCount }, () => 0) }
      groups.set(name, group)
    }
    return group
  }
  if (keyCount === 0 && !isBySeverity) groupOf([], null)
  for (const { bucket, keys, counts } of sums) {
    if (!isBySeverity) {
      addTo(groupOf(keys, null).totals, bucket, sum(counts))
      continue
    }
    for (const [severity, count] of counts.entries()) {
      if (count > 0) addTo(groupOf(keys, severity).totals, bucket, count)
    }
  }
  const sorted = [...groups.values()].sort(compareGroups)
  return Array.from({ length: bucketCount }, (_, bucket) =>
    sorted.map(({ keys, severity, totals }) => ({ bucket, keys, severity, total: totals[bucket] ?? 0 })),
  ).flat()
}

/** All that was counted. */
export function sumOfRows(rows: readonly ReportRow[]): number {
  return sum(rows.map(row => row.total))
}

function compareGroups(
  a: { keys: readonly string[]; severity: number | null },
  b: { keys: readonly string[]; severity: number | null },
): number {
  for (const [i, key] of a.keys.entries()) {
    const other = b.keys[i] ?? ''
    if (key !== other) return key < other ? -1 : 1
  }
  return (a.severity ?? 0) - (b.severity ?? 0)
}

function addTo(totals: number[], bucket: number, count: number): void {
  totals[bucket] = (totals[bucket] ?? 0) + count
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** What is said at more than MAX_REPORT_ROWS. */
export function tooManyRows(): AppError {
  return new AppError(
    'BAD_USER_INPUT',
    `The report has more than ${MAX_REPORT_ROWS} rows: take less time, a longer interval or fewer groups, or export it.`,
  )
}
