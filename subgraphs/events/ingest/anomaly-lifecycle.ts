import type { AnomalyItem } from '../../../schema/ingest-entry.ts'
import type { AnomalyChange, AnomalyState } from '../../../schema/live-event.ts'
import { SEVERITIES } from '../../../schema/severity.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import type { Places } from './event-rows.ts'

/** What a device has done to an anomaly. */
export interface DeviceStep {
  readonly step: 'RAISED' | 'ESCALATED' | 'CLEARED'
  readonly anomaly: Pick<AnomalyState, 'id' | 'spaceId'>
  readonly body: string
}

/** What occurrences, and word that anomalies are over, have come to. */
export interface AnomalyOutcome {
  /** Anomaly that an item opened, joined or ended; none for word that ended none. */
  readonly anomalyIds: ReadonlyMap<AnomalyItem, string>
  /** New ones, as they are after all items. Sorted by device and type. */
  readonly opened: readonly AnomalyState[]
  /** Those that were there and have changed, as they are after all items. Sorted by id. */
  readonly changed: readonly AnomalyState[]
  /** In the order of the log. */
  readonly steps: readonly DeviceStep[]
  /** One of each anomaly that is new or has changed, in the order in which they were first met. */
  readonly changes: readonly AnomalyChange[]
}

/** An anomaly while items are judged. */
interface Draft {
  anomaly: AnomalyState
  readonly isNew: boolean
  change: DeviceStep['step'] | 'REPEATED' | undefined
}

/** From the least to the greatest: of several changes of an anomaly the greatest is told. */
const WEIGHTS = [undefined, 'REPEATED', 'ESCALATED', 'CLEARED', 'RAISED'] as const

/**
 * Judges items in the order of the log. An occurrence joins the resolved anomaly of its device and type within whose
 * life it lies (the one opened last, when there are several), which stays resolved; else the unresolved one; else it
 * opens one. Word that it is over ends the unresolved one unless that has occurred since. Of items that are here
 * the anomalies become one version newer, however many there are.
 *
 * @param known Those that are unresolved, or were resolved at or after the first of the occurrences, of these devices
 * and types.
 */
export function judgeAnomalies(
  items: readonly AnomalyItem[],
  known: readonly AnomalyState[],
  places: Places,
): AnomalyOutcome {
  const drafts = new Map<string, Draft[]>()
  const draftsOf = (anomaly: { readonly deviceId: string; readonly type: string }) => {
    const key = anomalyKey(anomaly)
    const found = drafts.get(key) ?? []
    drafts.set(key, found)
    return found
  }
  for (const anomaly of known) draftsOf(anomaly).push({ anomaly, isNew: false, change: undefined })
  const anomalyIds = new Map<AnomalyItem, string>()
  const touched = new Set<Draft>()
  const steps: DeviceStep[] = []

  function note(draft: Draft, change: NonNullable<Draft['change']>, body?: string): void {
    if (WEIGHTS.indexOf(change) > WEIGHTS.indexOf(draft.change)) draft.change = change
    if (change !== 'REPEATED') steps.push({ step: change, anomaly: draft.anomaly, body: body ?? '' })
    touched.add(draft)
  }

  for (const item of items) {
    const at = timeOfId(item.id)
    const ofKind = draftsOf(item)
    const unresolved = ofKind.find(({ anomaly }) => anomaly.status !== 'RESOLVED')
    if (item.cleared) {
      if (unresolved === undefined || at < timeOfId(unresolved.anomaly.lastOccurrenceId)) continue
      unresolved.anomaly = { ...unresolved.anomaly, status: 'RESOLVED', resolvedAt: at, resolvedBy: null }
      anomalyIds.set(item, unresolved.anomaly.id)
      note(unresolved, 'CLEARED', 'The device says that it is over.')
      continue
    }
    const draft = findResolvedAt(ofKind, at) ?? unresolved
    if (draft === undefined) {
      const opened: Draft = { anomaly: openAnomaly(item, places), isNew: true, change: undefined }
      ofKind.push(opened)
      note(opened, 'RAISED', `Raised as ${item.severity}.`)
      anomalyIds.set(item, item.id)
      continue
    }
    const before = draft.anomaly
    draft.anomaly = addOccurrence(before, item)
    anomalyIds.set(item, before.id)
    const isEscalated = draft === unresolved && draft.anomaly.severity !== before.severity
    if (isEscalated) note(draft, 'ESCALATED', `Escalated from ${before.severity} to ${item.severity}.`)
    else note(draft, 'REPEATED')
  }

  for (const draft of touched)
    if (!draft.isNew) draft.anomaly = { ...draft.anomaly, version: draft.anomaly.version + 1 }
  const all = [...touched]
  return {
    anomalyIds,
    opened: sortBy(all.filter(({ isNew }) => isNew).map(toAnomaly), anomalyKey),
    changed: sortBy(all.filter(({ isNew }) => !isNew).map(toAnomaly), ({ id }) => id),
    steps,
    changes: all.map(({ change = 'REPEATED', anomaly }) => ({ change, anomaly })),
  }
}

/**
 * The same for the same device and type, as the database compares them: it takes no heed of spaces at the end, and has
 * one replacement for all halves of surrogate pairs.
 */
export function anomalyKey({ deviceId, type }: { readonly deviceId: string; readonly type: string }): string {
  return `${deviceId} ${type.toWellFormed().replace(/ +$/, '')}`
}

function findResolvedAt(drafts: readonly Draft[], at: number): Draft | undefined {
  let found: Draft | undefined
  for (const draft of drafts) {
    const { id, resolvedAt, status } = draft.anomaly
    if (status !== 'RESOLVED' || resolvedAt === null || timeOfId(id) > at || at > resolvedAt) continue
    if (found === undefined || id > found.anomaly.id) found = draft
  }
  return found
}

function openAnomaly(item: AnomalyItem, places: Places): AnomalyState {
  const place = places.get(item.deviceId)
  return {
    ...{ id: item.id, spaceId: item.spaceId, deviceId: item.deviceId },
    ...{ lineId: place?.lineId ?? null, processId: place?.processId ?? null },
    ...{ type: item.type, severity: item.severity, message: item.message ?? null, score: item.score ?? null },
    ...{
      attributes: item.attributes ?? null,
      clockReplaced: item.clockReplaced,
      receivedAt: item.receivedAt,
    },
    ...{ firstOccurrenceId: item.id, lastOccurrenceId: item.id, occurrences: 1, status: 'OPEN' },
    ...{ acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null, version: 1 },
  }
}

function addOccurrence(anomaly: AnomalyState, { id, severity }: AnomalyItem): AnomalyState {
  const isGraver = SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(anomaly.severity)
  return {
    ...anomaly,
    severity: isGraver ? severity : anomaly.severity,
    firstOccurrenceId: id < anomaly.firstOccurrenceId ? id : anomaly.firstOccurrenceId,
    lastOccurrenceId: id > anomaly.lastOccurrenceId ? id : anomaly.lastOccurrenceId,
    occurrences: anomaly.occurrences + 1,
  }
}

function toAnomaly({ anomaly }: Draft): AnomalyState {
  return anomaly
}

function sortBy<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return values
    .map(value => ({ value, key: keyOf(value) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ value }) => value)
}
