import type { AnomalyOrder, Severity } from '../../graphql/schema-types.generated.ts'

interface Placed {
  readonly id: string
  readonly severity: Severity
  readonly lastOccurredAt: string
}

const WEIGHTS = { INFO: 1, MINOR: 2, MAJOR: 3, CRITICAL: 4 } as const

/** Compares two anomalies as the product orders them: below 0 when `a` comes first. Ids are UUIDv7, so they tell time. */
export function compareAnomalies(a: Placed, b: Placed, order: AnomalyOrder): number {
  if (order === 'SEVERITY' && a.severity !== b.severity) return WEIGHTS[b.severity] - WEIGHTS[a.severity]
  if (order === 'LAST_OCCURRED' && a.lastOccurredAt !== b.lastOccurredAt)
    return a.lastOccurredAt < b.lastOccurredAt ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/**
 * Puts new items where they belong. Those that are there keep their places among each other, even where a change has made
 * them belong elsewhere: nothing moves while it is looked at.
 */
export function insertInOrder<Item extends Placed>(
  rows: readonly Item[],
  added: readonly Item[],
  order: AnomalyOrder,
): readonly Item[] {
  const result = [...rows]
  for (const item of [...added].sort((a, b) => compareAnomalies(b, a, order))) {
    const at = result.findIndex(row => compareAnomalies(item, row, order) < 0)
    result.splice(at === -1 ? result.length : at, 0, item)
  }
  return result
}
