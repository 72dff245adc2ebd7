import type { Pool, RowDataPacket } from 'mysql2/promise'
import type { EventItem, IngestItem } from '../../../schema/ingest-entry.ts'
import type { AnomalyEvent, LogEvent } from '../../../schema/live-event.ts'
import { eventKey } from './batch-plan.ts'
import { type LiveEvents, toPresenceEvent } from './live-events.ts'

/**
 * Makes the events of items that were read again from the log, as the tables have them: what is not there (dead
 * letters, copies of a transition) makes none. At most one statement for each kind.
 */
export async function loadLiveEvents(pool: Pool, items: readonly IngestItem[]): Promise<LiveEvents> {
  const transitions = items.filter(item => item.kind === 'presence')
  const logs = items.filter(item => item.kind === 'log')
  const anomalies = items.filter(item => item.kind === 'anomaly')
  const presenceRows = await selectByIds(pool, PRESENCE_COLUMNS, transitions)
  return {
    logs: takeRows(logs, await selectByIds(pool, LOG_COLUMNS, logs)).map(toLogEvent),
    anomalies: takeRows(anomalies, await selectByIds(pool, ANOMALY_COLUMNS, anomalies)).map(toAnomalyEvent),
    presence: transitions.filter(item => presenceRows.delete(eventKey(item))).map(toPresenceEvent),
    reports: items.filter(item => item.kind === 'state' || item.kind === 'connectivity'),
  }
}

const EVENT_COLUMNS =
  'space_id AS spaceId, id, device_id AS deviceId, line_id AS lineId, process_id AS processId, message, attributes, ' +
  'clock_replaced AS clockReplaced, received_at AS receivedAt'

const LOG_COLUMNS = `SELECT ${EVENT_COLUMNS}, level FROM log`

const ANOMALY_COLUMNS = `SELECT ${EVENT_COLUMNS}, type, severity, score, cleared FROM anomaly_occurrence`

const PRESENCE_COLUMNS = 'SELECT space_id AS spaceId, id FROM presence_event'

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
  return { ...toEvent(row), level: row.level, message: row.message }
}

function toAnomalyEvent(row: RowDataPacket): AnomalyEvent {
  const { type, severity, message, score } = row
  return { ...toEvent(row), type, severity, message, score, cleared: row.cleared === 1 }
}

/** What logs and anomalies have in common. */
function toEvent(row: RowDataPacket) {
  const { spaceId, id, deviceId, lineId, processId, attributes } = row
  return {
    ...{ id, spaceId, deviceId, lineId, processId },
    // MariaDB answers JSON as text, MySQL as a value.
    attributes: typeof attributes === 'string' ? JSON.parse(attributes) : attributes,
    clockReplaced: row.clockReplaced === 1,
    receivedAt: row.receivedAt.getTime(),
  }
}
