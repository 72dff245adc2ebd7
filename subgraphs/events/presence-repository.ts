import type { PresenceEvent } from '../../schema/live-event.ts'
import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { SELECT_WITH_DEADLINE, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { timeOfId } from '../shared/uuid-v7.ts'
import type { PresenceSelection } from './presence-selection.ts'

/** Which rows of a selection to fetch, newest first. */
export interface PresenceWalk {
  /** Rows older than this one; null from the newest on. */
  readonly afterId: string | null
  readonly limit: number
}

interface PresenceRow {
  id: string
  spaceId: string
  deviceId: string
  kind: 'ONLINE' | 'OFFLINE'
}

const COLUMNS = sql.raw('event.id, event.space_id spaceId, event.device_id deviceId, event.kind')
const AND = sql.raw(' AND ')

/**
 * Lists presence events of a selection, newest first, in one statement that sorts nothing on disk: of named devices an
 * index of each in order, else the space's events in order, of which those of other lines and processes are read and left
 * out. Rejects with UNAVAILABLE when that takes the server longer than read-deadline.ts allows.
 */
export async function listPresenceEvents(
  db: Db,
  selection: PresenceSelection,
  { afterId, limit }: PresenceWalk,
): Promise<PresenceEvent[]> {
  const order = sql`ORDER BY event.id DESC LIMIT ${limit}`
  const conditions = [...conditionsOf(selection), ...(afterId === null ? [] : [sql`event.id < ${afterId}`])]
  const space = sql`event.space_id = ${selection.spaceId}`
  const { deviceIds } = selection
  const statement =
    deviceIds === null
      ? sql`${SELECT_WITH_DEADLINE} ${COLUMNS} FROM presence_event event FORCE INDEX (PRIMARY)
          WHERE ${sql.join([space, ...conditions], AND)} ${order}`
      : sql`${SELECT_WITH_DEADLINE} id, spaceId, deviceId, kind FROM (${sql.join(
          deviceIds.map(id => {
            const where = sql.join([sql`event.device_id = ${id}`, space, ...conditions], AND)
            return sql`(SELECT ${COLUMNS} FROM presence_event event FORCE INDEX (presence_event_device)
              WHERE ${where} ${order})`
          }),
          sql.raw(' UNION ALL '),
        )}) branch ORDER BY id DESC LIMIT ${limit}`
  const [rows] = await tellDeadline(db.execute(statement))
  return (rows as unknown as PresenceRow[]).map(({ kind, ...row }) => ({
    ...row,
    online: kind === 'ONLINE',
    at: timeOfId(row.id),
  }))
}

/** Places are those of now: an event does not know where its device stood. */
function conditionsOf({ lineId, processId, kind, fromId, toId }: PresenceSelection): SQL[] {
  const place = [
    ...(lineId === null ? [] : [sql`place.line_id = ${lineId}`]),
    ...(processId === null ? [] : [sql`place.process_id = ${processId}`]),
  ]
  return [
    ...(kind === null ? [] : [sql`event.kind = ${kind}`]),
    ...(fromId === null ? [] : [sql`event.id >= ${fromId}`]),
    ...(toId === null ? [] : [sql`event.id < ${toId}`]),
    // Compared as a value, so that it stays a look-up for each event: a join would be free to begin with the devices.
    ...(place.length === 0
      ? []
      : [sql`(SELECT ${sql.join(place, AND)} FROM device place WHERE place.id = event.device_id)`]),
  ]
}
