import type {
  AnomalyItem,
  ConnectivityItem,
  EventItem,
  IngestItem,
  LogItem,
  PresenceItem,
  StateItem,
} from '../../../schema/ingest-entry.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'

/** Rows that are in the tables, by eventKey: the device of each. */
export type ExistingRows = ReadonlyMap<string, string>

/** What a device has shown of itself in a batch: the newest of each. */
export interface StatusChange {
  readonly deviceId: string
  readonly spaceId: string
  lastSeenAt: number
  state: StateItem | undefined
  connectivity: ConnectivityItem | undefined
}

/** A batch sorted by what is to be done with its items. Each list is in the order of the log. */
export interface BatchPlan {
  /** To be inserted: new ids only, each once. */
  readonly logs: LogItem[]
  /** The same of anomalies. */
  readonly anomalies: AnomalyItem[]
  /** Their id is another device's. */
  readonly conflicts: EventItem[]
  /** To be judged by what the table knows of their devices. */
  readonly presence: PresenceItem[]
  readonly reports: (StateItem | ConnectivityItem)[]
  readonly statuses: ReadonlyMap<string, StatusChange>
  /** Logs and anomalies left out because they are there already. */
  readonly duplicates: number
}

/** Key of a row: ids are unique within a space and a table, which `kind` stands for. */
export function eventKey({ kind, spaceId, id }: { kind: string; spaceId: string; id: string }): string {
  return kind + spaceId + id
}

/** Sorts a batch; the first item of an id wins, and what exists in the table was before all of them. */
export function planBatch(items: readonly IngestItem[], existing: ExistingRows): BatchPlan {
  const plan = {
    logs: [] as LogItem[],
    anomalies: [] as AnomalyItem[],
    conflicts: [] as EventItem[],
    presence: [] as PresenceItem[],
    reports: [] as (StateItem | ConnectivityItem)[],
    statuses: new Map<string, StatusChange>(),
    duplicates: 0,
  }
  const seen = new Map<string, string>()
  for (const item of items) {
    const status = statusOf(plan.statuses, item)
    status.lastSeenAt = Math.max(status.lastSeenAt, seenAt(item))
    switch (item.kind) {
      case 'log':
      case 'anomaly': {
        const key = eventKey(item)
        // An anomaly has the id of the occurrence that opened it: unique in all spaces.
        const taken = item.kind === 'anomaly' ? item.id : key
        const device = existing.get(key) ?? seen.get(taken)
        if (device === undefined) {
          seen.set(taken, item.deviceId)
          if (item.kind === 'log') plan.logs.push(item)
          else plan.anomalies.push(item)
        } else if (device === item.deviceId) plan.duplicates++
        else plan.conflicts.push(item)
        break
      }
      case 'state':
        plan.reports.push(item)
        if (status.state === undefined || item.at >= status.state.at) status.state = item
        break
      case 'connectivity':
        plan.reports.push(item)
        if (status.connectivity === undefined || item.at >= status.connectivity.at) status.connectivity = item
        break
      case 'presence':
        plan.presence.push(item)
        break
    }
  }
  return plan
}

function statusOf(statuses: Map<string, StatusChange>, { deviceId, spaceId }: IngestItem): StatusChange {
  let status = statuses.get(deviceId)
  if (status === undefined) {
    status = { deviceId, spaceId, lastSeenAt: 0, state: undefined, connectivity: undefined }
    statuses.set(deviceId, status)
  }
  return status
}

/** When a device gave the sign of life that an item is: a transition is dated at it, by its id. */
function seenAt(item: IngestItem): number {
  return item.kind === 'presence' ? timeOfId(item.id) : item.receivedAt
}
