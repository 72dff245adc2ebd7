import type { AnomalyState } from '../../../schema/live-event.ts'
import { type SQL, sql } from '../../../schema/mysql/drizzle.ts'
import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'

/** The newest clips of an anomaly. */
export interface AnomalyClipsRequest {
  readonly anomaly: Pick<
    AnomalyState,
    'id' | 'spaceId' | 'deviceId' | 'firstOccurrenceId' | 'lastOccurrenceId'
  >
  readonly limit: number
}

const UNION_ALL = sql.raw(' UNION ALL ')

interface Row {
  readonly branch: number
  readonly id: string
  readonly space_id: string
  readonly device_id: string
  readonly event_id: string
  readonly content_type: string
  readonly size_bytes: number
  readonly duration_ms: number | null
  readonly has_poster: number
  readonly created_at: string
}

/**
 * Lists what is READY of each anomaly, of its newest occurrence first, in one statement. A branch reads the index of the
 * device's clips backwards from the last occurrence and asks for each by primary key whether it joined the anomaly, so that
 * it stops with the page.
 */
export async function listClipsOfAnomalies(
  db: Db,
  requests: readonly AnomalyClipsRequest[],
): Promise<ClipRecord[][]> {
  const lists: ClipRecord[][] = requests.map(() => [])
  if (requests.length === 0) return lists
  const branches = requests.map((request, i) => sql`(${selectClips(request, i)})`)
  const [rows] = (await db.execute(sql.join(branches, UNION_ALL))) as unknown as [Row[]]
  for (const row of rows) lists[row.branch]?.push(toRecord(row))
  return lists
}

/** One branch, for tests that look at its plan. */
export function selectClips({ anomaly, limit }: AnomalyClipsRequest, branch: number): SQL {
  const { id, spaceId, deviceId, firstOccurrenceId: first, lastOccurrenceId: last } = anomaly
  return sql`SELECT STRAIGHT_JOIN ${branch} AS branch, c.id, c.space_id, c.device_id, c.event_id, c.content_type,
    c.size_bytes, c.duration_ms, c.has_poster, c.created_at
    FROM clip c FORCE INDEX (clip_event)
    JOIN anomaly_occurrence o FORCE INDEX (PRIMARY)
      ON o.space_id = ${spaceId} AND o.id = c.event_id AND o.id BETWEEN ${first} AND ${last} AND o.anomaly_id = ${id}
    WHERE c.device_id = ${deviceId} AND c.event_id BETWEEN ${first} AND ${last} AND c.space_id = ${spaceId}
      AND c.status = 'READY'
    ORDER BY c.event_id DESC, c.id DESC LIMIT ${limit}`
}

function toRecord(row: Row): ClipRecord {
  return {
    id: row.id,
    spaceId: row.space_id,
    deviceId: row.device_id,
    eventId: row.event_id,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    durationMs: row.duration_ms,
    status: 'READY',
    hasPoster: Boolean(row.has_poster),
    createdAt: new Date(`${row.created_at.replace(' ', 'T')}Z`),
  }
}
