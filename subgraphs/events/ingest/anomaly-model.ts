import type { AnomalyItem } from '../../../schema/ingest-entry.ts'
import { SEVERITIES, type Severity } from '../../../schema/severity.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'

/** What anomalies should be, worked out anew in the plainest way: what tests compare the tables with. */

/** What people do to an anomaly, one at a time. */
export type HumanStep = 'ACKNOWLEDGED' | 'RESOLVED' | 'REOPENED'

/** An anomaly as it should be. Times are epoch milliseconds. */
export interface ModelAnomaly {
  readonly id: string
  readonly deviceId: string
  readonly type: string
  severity: Severity
  firstOccurrenceId: string
  lastOccurrenceId: string
  occurrences: number
  status: 'OPEN' | 'ACKNOWLEDGED' | 'RESOLVED'
  acknowledgedAt: number | null
  acknowledgedBy: string | null
  resolvedAt: number | null
  resolvedBy: string | null
  version: number
  /** What devices did, in order. */
  readonly steps: string[]
}

/** Creates the model of a space without anomalies. */
export function createAnomalyModel() {
  const anomalies = new Map<string, ModelAnomaly>()
  /** By the id of an item. */
  const joined = new Map<string, string | null>()

  function applyItem(item: AnomalyItem, touched: Set<ModelAnomaly>): void {
    const at = timeOfId(item.id)
    joined.set(item.id, null)
    const same = [...anomalies.values()].filter(
      ({ deviceId, type }) => deviceId === item.deviceId && type === item.type,
    )
    const unresolved = same.find(({ status }) => status !== 'RESOLVED')
    if (item.cleared) {
      if (!unresolved || at < timeOfId(unresolved.lastOccurrenceId)) return
      unresolved.status = 'RESOLVED'
      unresolved.resolvedAt = at
      unresolved.resolvedBy = null
      unresolved.steps.push('CLEARED')
      touched.add(unresolved)
      joined.set(item.id, unresolved.id)
      return
    }
    const around = same
      .filter(({ status, resolvedAt }) => status === 'RESOLVED' && at <= Number(resolvedAt))
      .filter(({ id }) => timeOfId(id) <= at)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .at(-1)
    const into = around ?? unresolved
    if (!into) {
      const opened: ModelAnomaly = {
        ...{ id: item.id, deviceId: item.deviceId, type: item.type, severity: item.severity },
        ...{ firstOccurrenceId: item.id, lastOccurrenceId: item.id, occurrences: 1, status: 'OPEN' },
        ...{ acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null },
        ...{ version: 0, steps: ['RAISED'] },
      }
      anomalies.set(item.id, opened)
      touched.add(opened)
      joined.set(item.id, item.id)
      return
    }
    joined.set(item.id, into.id)
    touched.add(into)
    into.occurrences++
    if (item.id < into.firstOccurrenceId) into.firstOccurrenceId = item.id
    if (item.id > into.lastOccurrenceId) into.lastOccurrenceId = item.id
    if (SEVERITIES.indexOf(item.severity) > SEVERITIES.indexOf(into.severity)) {
      into.severity = item.severity
      if (into === unresolved) into.steps.push('ESCALATED')
    }
  }

  return {
    anomalies,
    joined,
    /** Applies what a transaction has written; an id that is known says nothing. */
    applyBatch(items: readonly AnomalyItem[]): void {
      const touched = new Set<ModelAnomaly>()
      for (const item of items) if (!joined.has(item.id)) applyItem(item, touched)
      for (const anomaly of touched) anomaly.version++
    },
    /** Applies a step that was taken. */
    applyStep(id: string, step: HumanStep, userId: string, at: number): void {
      const anomaly = anomalies.get(id)
      if (!anomaly) throw new Error(`There is no anomaly ${id}`)
      anomaly.version++
      if (step === 'ACKNOWLEDGED')
        Object.assign(anomaly, { status: step, acknowledgedAt: at, acknowledgedBy: userId })
      else if (step === 'RESOLVED')
        Object.assign(anomaly, { status: step, resolvedAt: at, resolvedBy: userId })
      else Object.assign(anomaly, { status: 'OPEN', resolvedAt: null, resolvedBy: null })
    },
  }
}
