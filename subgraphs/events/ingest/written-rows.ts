import type { Pool, RowDataPacket } from 'mysql2/promise'
import type { IngestItem } from '../../../schema/ingest-entry.ts'
import type { LogEvent } from '../../../schema/live-event.ts'
import { eventKey } from './batch-plan.ts'
import { type LiveEvents, toPresenceEvent } from './live-events.ts'

/**
 * Makes the events of items that were read again from the log, as the tables have them: what is not there (dead
 * letters, copies of a transition) makes none. At most two statements.
 */
export async function loadLiveEvents(pool: Pool, items: readonly IngestItem[]): Promise<LiveEvents> {
  const logItems = items.filter(item => item.kind === 'log')
  const transitions = items.filter(item => item.kind === 'presence')
  const logRows = await selectByIds(pool, LOG_COLUMNS, logItems)
  const presenceRows = await selectByIds(pool, PRESENCE_COLUMNS, transitions)
  const logs: LogEvent[] = []
  for (const item of logItems) {
    const row = logRows.get(eventKey(item))
    // Each id once, although it may be in the log several times.
    if (row === undefined || row.deviceId !== item.deviceId || !logRows.delete(eventKey(item))) continue
    logs.push(toEvent(row))
  }
  return {
    logs,
    presence: transitions.filter(item => presenceRows.delete(eventKey(item))).map(toPresenceEvent),
    reports: items.filter(item => item.kind === 'state' || item.kind === 'connectivity'),
  }
}

const LOG_COLUMNS =
  'SELECT space_id AS spaceId, id, device_id AS deviceId, line_id AS lineId, process_id AS processId, level, message, attributes, ' +
  'clock_replaced AS clockReplaced, received_at AS receivedAt FROM log'

const PRESENCE_COLUMNS = 'SELECT space_id AS spaceId, id FROM presence_event'

async function selectByIds(
  pool: Pool,
  select: string,
  items: readonly { spaceId: string; id: string }[],
): Promise<Map<string, RowDataPacket>> {
  if (items.length === 0) return new Map()
  const bySpace = Map.groupBy(items, item => item.spaceId)
  const selects = Array.from(bySpace, () => `(${select} WHERE space_id = ? AND id IN (?))`)
  const values = Array.from(bySpace, ([spaceId, ofSpace]) => [spaceId, ofSpace.map(({ id }) => id)]).flat()
  const [rows] = await pool.query<RowDataPacket[]>(selects.join(' UNION ALL '), values)
  return new Map(rows.map(row => [eventKey({ spaceId: row.spaceId, id: row.id }), row]))
}

function toEvent(row: RowDataPacket): LogEvent {
  const { spaceId, id, deviceId, lineId, processId, level, message, attributes } = row
  return {
    ...{ id, spaceId, deviceId, lineId, processId, level, message },
    // MariaDB answers JSON as text, MySQL as a value.
    attributes: typeof attributes === 'string' ? JSON.parse(attributes) : attributes,
    clockReplaced: row.clockReplaced === 1,
    receivedAt: row.receivedAt.getTime(),
  }
}
