import { clip } from '../../../schema/mysql/anomaly-tables.ts'
import { and, eq, sql } from '../../../schema/mysql/drizzle.ts'
import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'

/** Inserts a PENDING clip, unless the device has `maxPending` of them; whether it did. Counting and inserting are one. */
export async function insertPendingClip(db: Db, row: ClipRecord, maxPending: number): Promise<boolean> {
  const { id, spaceId, deviceId, eventId, contentType, sizeBytes, durationMs, createdAt } = row
  const [result] = await db.execute(sql`
    INSERT INTO clip
      (id, space_id, device_id, event_id, content_type, size_bytes, duration_ms, status, has_poster, created_at)
    SELECT ${id}, ${spaceId}, ${deviceId}, ${eventId}, ${contentType}, ${sizeBytes}, ${durationMs}, 'PENDING', 0,
      ${createdAt}
    FROM DUAL
    WHERE (SELECT COUNT(*) FROM clip WHERE device_id = ${deviceId} AND status = 'PENDING') < ${maxPending}`)
  return result.affectedRows === 1
}

/** Finds a clip of a device. */
export async function findClipOfDevice(db: Db, deviceId: string, id: string): Promise<ClipRecord | null> {
  const [row] = await db
    .select()
    .from(clip)
    .where(and(eq(clip.id, id), eq(clip.deviceId, deviceId)))
  return row ?? null
}

/** Makes a clip READY; whether it was still there, and so not yet. */
export async function completeClip(db: Db, id: string, completedAt: Date): Promise<boolean> {
  const [result] = await db
    .update(clip)
    .set({ status: 'READY', completedAt })
    .where(and(eq(clip.id, id), eq(clip.status, 'PENDING')))
  return result.affectedRows === 1
}

/** Deletes a clip if it is PENDING; whether it was. */
export async function deletePendingClip(db: Db, id: string): Promise<boolean> {
  const [result] = await db.delete(clip).where(and(eq(clip.id, id), eq(clip.status, 'PENDING')))
  return result.affectedRows === 1
}
