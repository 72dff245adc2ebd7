import type { Pool, RowDataPacket } from 'mysql2/promise'
import type { EventItem, IngestItem } from '../../../schema/ingest-entry.ts'
import type { AnomalyChange, LogEvent } from '../../../schema/live-event.ts'
import { ANOMALY_COLUMNS, toAnomalyState } from './anomaly-rows.ts'
import { eventKey } from './batch-plan.ts'
import { type LiveEvents, toPresenceEvent } from './live-events.ts'

/**
 * Makes the events of items that were read again from the log, as the tables have them: what is not there (dead
 * letters, copies of a transition) makes none. At most one statement for logs, one for presence, three for anomalies.
 */
export async function loadLiveEvents(pool: Pool, items: readonly IngestItem[]): Promise<LiveEvents> {
  const transitions = items.filter(item => item.kind === 'presence')
  const logs = items.filter(item => item.kind === 'log')
  const anomalies = items.filter(item => item.kind === 'anomaly')
  const presenceRows = await selectByIds(pool, PRESENCE_COLUMNS, transitions)
  return {
    logs: takeRows(logs, await selectByIds(pool, LOG_COLUMNS, logs)).map(toLogEvent),
    anomalies: await loadChanges(
      pool,
      takeRows(anomalies, await selectByIds(pool, OCCURRENCE_COLUMNS, anomalies)),
    ),
    presence: transitions.filter(item => presenceRows.delete(eventKey(item))).map(toPresenceEvent),
    reports: items.filter(item => item.kind === 'state' || item.kind === 'connectivity'),
  }
}

const LOG_COLUMNS =
  'SELECT space_id AS spaceId, id, device_id AS deviceId, line_id AS lineId, process_id AS processId, level, message, ' +
  'attributes, clock_replaced AS clockReplaced, received_at AS receivedAt FROM log'

const OCCURRENCE_COLUMNS =
  'SELECT space_id AS spaceId, id, device_id AS deviceId, severity, cleared, anomaly_id AS anomalyId FROM anomaly_occurrence'

const PRESENCE_COLUMNS = 'SELECT space_id AS spaceId, id FROM presence_event'

/**
 * Makes what happened to anomalies of the rows that occurrences are, with the anomalies as they are by now: RAISED where
 * one is opened, and, where it has changed since, or was there before, the gravest that the rows may have been to it.
 */
async function loadChanges(pool: Pool, occurrences: readonly RowDataPacket[]): Promise<AnomalyChange[]> {
  const byAnomaly = Map.groupBy(
    occurrences.filter(({ anomalyId }) => anomalyId !== null),
    row => String(row.anomalyId),
  )
  if (byAnomaly.size === 0) return []
  const ids = [...byAnomaly.keys()]
  const [rows] = await pool.query<RowDataPacket[]>(`SELECT ${ANOMALY_COLUMNS} FROM anomaly WHERE id IN (?)`, [
    ids,
  ])
  const [escalations] = await pool.query<RowDataPacket[]>(
    "SELECT DISTINCT anomaly_id FROM anomaly_comment WHERE anomaly_id IN (?) AND step = 'ESCALATED'",
    [ids],
  )
  const anomalies = new Map(rows.map(row => [String(row.id), toAnomalyState(row)]))
  const escalated = new Set(escalations.map(row => row.anomaly_id))
  return Array.from(byAnomaly).flatMap(([id, ofAnomaly]) => {
    const anomaly = anomalies.get(id)
    // Deleted with what is older than the retention.
    if (anomaly === undefined) return []
    const changes: AnomalyChange[] = []
    if (ofAnomaly.some(row => row.id === id)) changes.push({ change: 'RAISED', anomaly })
    if (changes.length > 0 && anomaly.version === 1) return changes
    const hasEscalated = escalated.has(id) && ofAnomaly.some(row => row.severity === anomaly.severity)
    const change = hasEscalated ? 'ESCALATED' : 'REPEATED'
    changes.push({ change: ofAnomaly.some(row => row.cleared === 1) ? 'CLEARED' : change, anomaly })
    return changes
  })
}

/** Rows by eventKey. */
async function selectByIds(
  pool: Pool,
  select: string,
  items: readonly { kind: string; spaceId: string; id: string }[],
): Promise<Map<string, RowDataPacket>> {
  const [first] = items
  if (first === undefined) return new Map()
  const bySpace = Map.groupBy(items, item => item.spaceId)
  const selects = Array.from(bySpace, () => `(${select} WHERE space_id = ? AND id IN (?))`)
  const values = Array.from(bySpace, ([spaceId, ofSpace]) => [spaceId, ofSpace.map(({ id }) => id)]).flat()
  const [rows] = await pool.query<RowDataPacket[]>(selects.join(' UNION ALL '), values)
  return new Map(rows.map(row => [eventKey({ kind: first.kind, spaceId: row.spaceId, id: row.id }), row]))
}

/** The rows that items are, in their order; each id once, although it may be in the log several times. */
function takeRows(items: readonly EventItem[], rows: Map<string, RowDataPacket>): RowDataPacket[] {
  const taken: RowDataPacket[] = []
  for (const item of items) {
    const row = rows.get(eventKey(item))
    if (row === undefined || row.deviceId !== item.deviceId || !rows.delete(eventKey(item))) continue
    taken.push(row)
  }
  return taken
}

function toLogEvent(row: RowDataPacket): LogEvent {
  const { spaceId, id, deviceId, lineId, processId, level, message, attributes } = row
  return {
    ...{ id, spaceId, deviceId, lineId, processId, level, message },
    // MariaDB answers JSON as text, MySQL as a value.
    attributes: typeof attributes === 'string' ? JSON.parse(attributes) : attributes,
    clockReplaced: row.clockReplaced === 1,
    receivedAt: row.receivedAt.getTime(),
  }
}
