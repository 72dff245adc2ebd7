import { device, line, membership, process } from '../../../schema/mysql/device-tables.ts'
import { and, asc, count, eq, inArray, lte, or, sql } from '../../../schema/mysql/drizzle.ts'
import { watch } from '../../../schema/mysql/watch-tables.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'

/** What can be watched. */
export type WatchKind = (typeof watch.$inferSelect)['kind']

/** Something that can be watched, and the space it is in. */
export interface WatchTarget {
  readonly kind: WatchKind
  readonly targetId: string
  readonly spaceId: string
}

/** A watch of somebody. `id` is another one when they have unwatched and watched again. */
export interface Watch extends WatchTarget {
  readonly id: string
  readonly since: Date
}

const COLUMNS = {
  id: watch.id,
  kind: watch.kind,
  targetId: watch.targetId,
  spaceId: watch.spaceId,
  since: watch.since,
}

/** Lists what a user watches, oldest first, without what was removed; also in spaces that they may not read. */
export async function listWatches(db: Db, userId: string): Promise<Watch[]> {
  return db
    .select(COLUMNS)
    .from(watch)
    .leftJoin(device, and(eq(watch.kind, 'DEVICE'), eq(device.id, watch.targetId), eq(device.removed, false)))
    .leftJoin(line, and(eq(watch.kind, 'LINE'), eq(line.id, watch.targetId), eq(line.removed, false)))
    .leftJoin(
      process,
      and(eq(watch.kind, 'PROCESS'), eq(process.id, watch.targetId), eq(process.removed, false)),
    )
    .where(
      and(
        eq(watch.userId, userId),
        or(eq(watch.kind, 'SPACE'), sql`COALESCE(${device.id}, ${line.id}, ${process.id}) IS NOT NULL`),
      ),
    )
    .orderBy(asc(watch.id))
}

/** Finds the space of what can be watched; undefined when there is nothing, or it was removed. */
export async function findWatchTarget(
  db: Db,
  kind: Exclude<WatchKind, 'SPACE'>,
  targetId: string,
): Promise<WatchTarget | undefined> {
  const table = { DEVICE: device, LINE: line, PROCESS: process }[kind]
  const [row] = await db
    .select({ spaceId: table.spaceId })
    .from(table)
    .where(and(eq(table.id, targetId), eq(table.removed, false)))
  return row && { kind, targetId, spaceId: row.spaceId }
}

/** Adds a watch, unless it is there or its user has `maxWatches`. Of several at once a few more may get in. */
export async function insertWatch(
  db: Db,
  userId: string,
  { id, kind, targetId, spaceId, since }: Watch,
  maxWatches: number,
): Promise<void> {
  await db.execute(sql`
    INSERT INTO watch (user_id, target_id, kind, space_id, id, since)
    SELECT ${userId}, ${targetId}, ${kind}, ${spaceId}, ${id}, ${since.toISOString().slice(0, 23).replace('T', ' ')}
    FROM (SELECT COUNT(*) total FROM watch WHERE user_id = ${userId}) counted WHERE counted.total < ${maxWatches}
    ON DUPLICATE KEY UPDATE id = watch.id`)
}

/** Finds a watch. */
export async function findWatch(db: Db, userId: string, targetId: string): Promise<Watch | undefined> {
  const [row] = await db
    .select(COLUMNS)
    .from(watch)
    .where(and(eq(watch.userId, userId), eq(watch.targetId, targetId)))
  return row
}

/** Deletes a watch. Answers whether it was there. */
export async function deleteWatch(
  db: Db,
  userId: string,
  { kind, targetId }: Pick<WatchTarget, 'kind' | 'targetId'>,
): Promise<boolean> {
  const [result] = await db
    .delete(watch)
    .where(and(eq(watch.userId, userId), eq(watch.targetId, targetId), eq(watch.kind, kind)))
  return result.affectedRows > 0
}

/**
 * Deletes what a user watches in spaces of which they are no member; a deleted space that can be restored keeps them.
 * Answers whether there was any.
 */
export async function deleteForeignWatches(
  db: Db,
  userId: string,
  spaceIds: readonly string[],
): Promise<boolean> {
  const [result] = await db
    .delete(watch)
    .where(
      and(
        eq(watch.userId, userId),
        inArray(watch.spaceId, spaceIds),
        sql`NOT EXISTS (SELECT 1 FROM ${membership} WHERE ${membership.spaceId} = ${watch.spaceId} AND ${membership.userId} = ${userId})`,
      ),
    )
  return result.affectedRows > 0
}

/**
 * Finds who watches targets, by target: ids of users, or `wide` when there are more than `maxWatchers`. Those that nobody
 * watches are missing from the answer.
 */
export async function findWatchers(
  db: Db,
  targetIds: readonly string[],
  maxWatchers: number,
): Promise<Map<string, readonly string[] | 'wide'>> {
  const counted = db
    .select({ targetId: watch.targetId, total: count().as('total') })
    .from(watch)
    .where(inArray(watch.targetId, targetIds))
    .groupBy(watch.targetId)
    .as('counted')
  const rows = await db
    .select({ targetId: counted.targetId, userId: watch.userId })
    .from(counted)
    .leftJoin(watch, and(eq(watch.targetId, counted.targetId), lte(counted.total, maxWatchers)))
  const byTarget = Map.groupBy(rows, row => row.targetId)
  return new Map(
    [...byTarget].map(([targetId, ofTarget]) => {
      const userIds = ofTarget.flatMap(({ userId }) => (userId === null ? [] : [userId]))
      return [targetId, userIds.length === 0 ? ('wide' as const) : userIds]
    }),
  )
}

/** Finds the devices that stand on lines or serve processes now, removed ones too. */
export async function findDevicesAt(db: Db, placeIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: device.id })
    .from(device)
    .where(or(inArray(device.lineId, placeIds), inArray(device.processId, placeIds)))
  return rows.map(({ id }) => id)
}
