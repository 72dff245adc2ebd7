import { sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { and, inList } from './event-conditions.ts'

/** How many anomalies of a line or process are not resolved. */
export interface OpenCountOfPlace {
  readonly id: string
  readonly spaceId: string
  readonly total: number
}

/** Counts the anomalies of devices that are not resolved, in one statement; devices without any are left out. */
export async function countOpenOfDevices(db: Db, deviceIds: readonly string[]): Promise<Map<string, number>> {
  const [rows] = await db.execute(
    sql`SELECT device_id id, COUNT(*) total FROM anomaly FORCE INDEX (anomaly_open)
      WHERE ${and(inList('device_id', deviceIds))} AND open_type IS NOT NULL GROUP BY device_id`,
  )
  const counted = rows as unknown as { id: string; total: number }[]
  return new Map(counted.map(({ id, total }) => [id, Number(total)]))
}

/**
 * Counts the anomalies that were raised on lines, or at processes, and are not resolved, in one statement. Lines and
 * processes that do not exist are left out.
 */
export async function countOpenOfPlaces(
  db: Db,
  kind: 'line' | 'process',
  ids: readonly string[],
): Promise<OpenCountOfPlace[]> {
  const [place, column, index] = [`\`${kind}\``, `${kind}_id`, `anomaly_${kind}`].map(name => sql.raw(name))
  // Each status by itself: of several a correlated count reads all of the place.
  const totals = ['OPEN', 'ACKNOWLEDGED'].map(
    status => sql`(SELECT COUNT(*) FROM anomaly FORCE INDEX (${index}) WHERE anomaly.space_id = place.space_id
      AND anomaly.${column} = place.id AND anomaly.status = ${status})`,
  )
  const [rows] = await db.execute(
    sql`SELECT place.id, place.space_id spaceId, ${sql.join(totals, sql.raw(' + '))} total
      FROM ${place} place FORCE INDEX (PRIMARY) WHERE ${and(inList('place.id', ids))}`,
  )
  return (rows as unknown as OpenCountOfPlace[]).map(row => ({ ...row, total: Number(row.total) }))
}
