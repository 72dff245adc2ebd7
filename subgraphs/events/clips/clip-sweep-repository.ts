import { clip } from '../../../schema/mysql/anomaly-tables.ts'
import { space } from '../../../schema/mysql/device-tables.ts'
import { and, asc, eq, gt, inArray, lt, sql } from '../../../schema/mysql/drizzle.ts'
import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { idLowerBound } from '../../shared/uuid-v7.ts'

/** Lists PENDING clips that were requested before a moment (epoch milliseconds), the oldest first. */
export function listPendingClipsBefore(db: Db, before: number, limit: number): Promise<ClipRecord[]> {
  return db
    .select()
    .from(clip)
    .where(and(eq(clip.status, 'PENDING'), lt(clip.id, idLowerBound(before))))
    .orderBy(asc(clip.id))
    .limit(limit)
}

/** Lists the spaces that have clips, each with the days it keeps them: null is as long as the site, 0 that it is gone. */
export async function listSpacesWithClips(db: Db): Promise<{ spaceId: string; days: number | null }[]> {
  const spaceIds = db.selectDistinct({ spaceId: clip.spaceId }).from(clip).as('with_clips')
  const rows = await db
    .select({ spaceId: spaceIds.spaceId, id: space.id, days: space.retentionDays })
    .from(spaceIds)
    .leftJoin(space, eq(space.id, spaceIds.spaceId))
  return rows.map(({ spaceId, id, days }) => ({ spaceId, days: id === null ? 0 : days }))
}

/** Lists clips of a space that were requested before a moment (epoch milliseconds), the oldest first. */
export function listClipsBefore(
  db: Db,
  spaceId: string,
  before: number,
  limit: number,
): Promise<ClipRecord[]> {
  return db
    .select()
    .from(clip)
    .where(and(eq(clip.spaceId, spaceId), lt(clip.id, idLowerBound(before))))
    .orderBy(asc(clip.id))
    .limit(limit)
}

/** Deletes clips whose objects are gone. */
export async function deleteClips(db: Db, ids: readonly string[]): Promise<void> {
  await db.delete(clip).where(inArray(clip.id, [...ids]))
}

/** Finds which of these clips there are. */
export async function findClipIds(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: clip.id })
    .from(clip)
    .where(inArray(clip.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

/** Lists READY videos without a poster, by the id after which they come. */
export function listVideosWithoutPoster(db: Db, afterId: string, limit: number): Promise<ClipRecord[]> {
  return db
    .select()
    .from(clip)
    .where(
      and(
        eq(clip.status, 'READY'),
        gt(clip.id, afterId),
        eq(clip.hasPoster, false),
        sql`${clip.contentType} LIKE 'video/%'`,
      ),
    )
    .orderBy(asc(clip.id))
    .limit(limit)
}

/** Notes that a clip has a poster; whether it is still there. */
export async function setPoster(db: Db, id: string): Promise<boolean> {
  const [result] = await db.update(clip).set({ hasPoster: true }).where(eq(clip.id, id))
  return result.affectedRows === 1
}
