import { type SQL, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { SELECT_OF_DEADLINE, STATEMENT_OF_DEADLINE, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { idLowerBound } from '../shared/uuid-v7.ts'
import { msOfId, msOfMoment } from './moment-sql.ts'
import { REPORT_ADVICE } from './report-advice.ts'
import type { TimeRange } from './report-range.ts'

/** Columns that availability is told apart by. */
export type PlaceColumn = 'line_id' | 'process_id' | 'device_id'

/** Whose availability. */
export type Fleet =
  /** Of a space's devices that are not removed. */
  | { readonly spaceId: string }
  /** Of these, wherever they are. */
  | { readonly deviceIds: readonly string[] }

/** How long the devices of one group were online and offline, added up. */
export interface PresenceSum {
  readonly lineId: string | null
  readonly processId: string | null
  readonly deviceId: string | null
  readonly onlineMs: number
  readonly offlineMs: number
  /** Times offline that overlap the range. */
  readonly outages: number
}

/**
 * Adds up presence by groups, ordered by them, none first. A device counts from its registration on.
 *
 * At the range's begin it is as its last event before left it; without one, what the first event after changed; without
 * any, as it is now: events are kept for as long as the retention says, and change presence each. Without columns it is
 * one row, of no devices too.
 */
export async function sumPresence(
  db: Db,
  fleet: Fleet,
  { range: { fromMs, toMs }, by, limit }: { range: TimeRange; by: readonly PlaceColumn[]; limit: number },
): Promise<PresenceSum[]> {
  const [fromId, toId] = [idLowerBound(fromMs), idLowerBound(toMs)]
  const columns = sql.raw(by.length === 0 ? '' : `${by.join(', ')},`)
  const groups = sql.raw(by.length === 0 ? '' : `GROUP BY ${by.join(', ')} ORDER BY ${by.join(', ')}`)
  // Places are looked up at the end: what is carried through a window is written down for each row.
  const [rows] = (await tellDeadline(
    db.execute(sql`
    ${STATEMENT_OF_DEADLINE} WITH fleet AS (
      SELECT id AS device_id, LEAST(${toMs}, GREATEST(${fromMs}, ${msOfMoment('created_at')})) AS since
      FROM device WHERE ${isOf(fleet)}
    ), presence AS (
      SELECT device_id, '' AS id, since AS at, COALESCE(
        (SELECT kind = 'ONLINE' FROM presence_event AS e FORCE INDEX (presence_event_device)
          WHERE e.device_id = fleet.device_id AND e.id < ${fromId} ORDER BY e.id DESC LIMIT 1),
        (SELECT kind <> 'ONLINE' FROM presence_event AS e FORCE INDEX (presence_event_device)
          WHERE e.device_id = fleet.device_id AND e.id >= ${fromId} ORDER BY e.id LIMIT 1),
        (SELECT online FROM device_status AS s WHERE s.device_id = fleet.device_id),
        0) AS is_online
      FROM fleet
      UNION ALL
      SELECT fleet.device_id, e.id, GREATEST(since, ${msOfId('e.id')}), kind = 'ONLINE'
      FROM fleet STRAIGHT_JOIN presence_event AS e FORCE INDEX (presence_event_device)
        ON e.device_id = fleet.device_id AND e.id >= ${fromId} AND e.id < ${toId}
    ), episode AS (
      SELECT device_id, is_online, COALESCE(LEAD(at) OVER steps, ${toMs}) - at AS ms,
        COALESCE(LAG(is_online) OVER steps, 1) AS was_online
      FROM presence WINDOW steps AS (PARTITION BY device_id ORDER BY id)
    ), summed AS (
      SELECT device_id, SUM(IF(is_online, ms, 0)) AS online_ms, SUM(IF(is_online, 0, ms)) AS offline_ms,
        SUM(NOT is_online AND was_online AND ms > 0) AS outages
      FROM episode GROUP BY device_id
    )
    ${SELECT_OF_DEADLINE} ${columns} SUM(online_ms) AS online_ms, SUM(offline_ms) AS offline_ms,
      SUM(outages) AS outages
    FROM summed JOIN device ON id = device_id ${groups} LIMIT ${limit}`),
    REPORT_ADVICE,
  )) as unknown as [Record<string, string | number | null>[]]
  const idOf = (value: string | number | null | undefined) => (value == null ? null : String(value))
  return rows.map(row => ({
    lineId: idOf(row.line_id),
    processId: idOf(row.process_id),
    deviceId: idOf(row.device_id),
    onlineMs: Number(row.online_ms),
    offlineMs: Number(row.offline_ms),
    outages: Number(row.outages),
  }))
}

function isOf(fleet: Fleet): SQL {
  if ('spaceId' in fleet) return sql`space_id = ${fleet.spaceId} AND NOT removed`
  return sql`id IN (${sql.join(
    fleet.deviceIds.map(id => sql`${id}`),
    sql.raw(', '),
  )})`
}
