import { alert } from '../../../schema/mysql/alert-tables.ts'
import { anomaly } from '../../../schema/mysql/anomaly-tables.ts'
import { device } from '../../../schema/mysql/device-tables.ts'
import { and, count, desc, eq, gt, inArray, isNull, lt, lte, sql } from '../../../schema/mysql/drizzle.ts'
import { presenceEvent } from '../../../schema/mysql/ingest-tables.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { Channel } from './alert-job.ts'

/** A row of `alert`. */
export type AlertRow = typeof alert.$inferSelect

/** Characters of a failure that are kept. */
const MAX_ERROR_LENGTH = 500

/** Rows of a statement. */
const MAX_INSERTED = 1_000

/** What a digest tells of an alert. */
export interface HeldAlert {
  readonly id: string
  readonly kind: AlertRow['kind']
  readonly subjectId: string
  readonly deviceId: string
  readonly severity: AlertRow['severity']
  readonly deviceName: string | null
  /** It tells of an absence of the device, which has come back since. */
  readonly isOver: boolean
  readonly type: string | null
  readonly message: string | null
}

const IS_OVER = sql<number>`${alert.kind} = 'OFFLINE' AND EXISTS (
  SELECT 1 FROM ${presenceEvent} WHERE ${presenceEvent.deviceId} = ${alert.deviceId} AND ${presenceEvent.id} > ${alert.subjectId})`

/** What an alert is once it has been handed over. */
export function statusOnTheWay(channel: Channel): 'MAILED' | 'QUEUED' {
  return channel === 'EMAIL' ? 'MAILED' : 'QUEUED'
}

/** Finds what has been made of subjects. */
export async function findAlertsOf(db: Db, subjectIds: readonly string[]): Promise<AlertRow[]> {
  return await db
    .select()
    .from(alert)
    .where(inArray(alert.subjectId, [...subjectIds]))
}

/** Inserts alerts, a statement each thousand. Fails with 1062 when somebody was told of a subject by a channel before. */
export async function insertAlerts(tx: Db, rows: readonly (typeof alert.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += MAX_INSERTED)
    await tx.insert(alert).values(rows.slice(from, from + MAX_INSERTED))
}

/** Counts what members of a space were told of by itself since a moment, by `userId channel`. */
export async function countRecentAlerts(
  db: Db,
  spaceId: string,
  userIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ userId: alert.userId, channel: alert.channel, total: count() })
    .from(alert)
    .where(
      and(
        eq(alert.spaceId, spaceId),
        inArray(alert.userId, [...userIds]),
        inArray(alert.channel, ['EMAIL', 'WEBHOOK']),
        isNull(alert.heldFor),
        gt(alert.createdAt, since),
      ),
    )
    .groupBy(alert.userId, alert.channel)
  return new Map(rows.map(({ userId, channel, total }) => [`${userId} ${channel}`, total]))
}

/** Counts the absences of devices that members were told of since a moment, by `deviceId userId channel`. */
export async function countAbsences(
  db: Db,
  deviceIds: readonly string[],
  userIds: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ deviceId: alert.deviceId, userId: alert.userId, channel: alert.channel, total: count() })
    .from(alert)
    .where(
      and(
        inArray(alert.deviceId, [...deviceIds]),
        inArray(alert.userId, [...userIds]),
        eq(alert.kind, 'OFFLINE'),
        gt(alert.createdAt, since),
      ),
    )
    .groupBy(alert.deviceId, alert.userId, alert.channel)
  return new Map(
    rows.map(({ deviceId, userId, channel, total }) => [`${deviceId} ${userId} ${channel}`, total]),
  )
}

/** Finds the names of those devices that are in their space still. */
export async function findDeviceNames(db: Db, deviceIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: device.id, name: device.name })
    .from(device)
    .where(and(inArray(device.id, [...deviceIds]), eq(device.removed, false)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Whether the newest that is known of a device's presence is this event, by which it went offline. */
export async function isOfflineSince(db: Db, deviceId: string, eventId: string): Promise<boolean> {
  const [newest] = await db
    .select({ id: presenceEvent.id })
    .from(presenceEvent)
    .where(eq(presenceEvent.deviceId, deviceId))
    .orderBy(desc(presenceEvent.id))
    .limit(1)
  return newest?.id === eventId
}

/** Locks what is held for a person and due, newest first, at most `limit`. */
export async function lockHeldAlerts(
  tx: Db,
  held: { spaceId: string; userId: string; channel: Channel; dueAt: Date },
  limit: number,
): Promise<HeldAlert[]> {
  const ids = await tx
    .select({ id: alert.id })
    .from(alert)
    .where(
      and(
        eq(alert.spaceId, held.spaceId),
        eq(alert.userId, held.userId),
        eq(alert.channel, held.channel),
        eq(alert.status, 'HELD'),
        lte(alert.dueAt, held.dueAt),
      ),
    )
    .orderBy(alert.id)
    .limit(limit)
    .for('update')
  if (ids.length === 0) return []
  const rows = await tx
    .select({
      id: alert.id,
      kind: alert.kind,
      subjectId: alert.subjectId,
      deviceId: alert.deviceId,
      severity: alert.severity,
      deviceName: device.name,
      isOver: IS_OVER,
      type: anomaly.type,
      message: anomaly.message,
    })
    .from(alert)
    .leftJoin(device, eq(device.id, alert.deviceId))
    .leftJoin(anomaly, eq(anomaly.id, alert.subjectId))
    .where(
      inArray(
        alert.id,
        ids.map(({ id }) => id),
      ),
    )
  return rows
    .map(({ isOver, ...row }) => ({ ...row, isOver: Boolean(isOver) }))
    .sort((a, b) => (a.subjectId < b.subjectId ? 1 : -1))
}

/** Puts off what is held for a person and due. */
export async function holdUntil(
  db: Db,
  { spaceId, userId, channel, dueAt }: { spaceId: string; userId: string; channel: Channel; dueAt: Date },
  until: Date,
): Promise<void> {
  await db
    .update(alert)
    .set({ dueAt: until })
    .where(
      and(
        eq(alert.spaceId, spaceId),
        eq(alert.userId, userId),
        eq(alert.channel, channel),
        eq(alert.status, 'HELD'),
        lte(alert.dueAt, dueAt),
      ),
    )
}

/** Notes that held alerts go out together. */
export async function sendHeldAlerts(
  tx: Db,
  ids: readonly string[],
  { deliveryId, channel }: { deliveryId: string; channel: Channel },
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(alert)
    .set({ status: statusOnTheWay(channel), deliveryId })
    .where(inArray(alert.id, [...ids]))
}

/** Notes that held alerts have become pointless. */
export async function withdrawAlerts(tx: Db, ids: readonly string[], doneAt: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(alert)
    .set({ status: 'WITHDRAWN', doneAt })
    .where(inArray(alert.id, [...ids]))
}

/** Finds what goes to a webhook as one delivery and has not gone yet, newest first. */
export async function findWaitingDelivery(
  db: Db,
  deliveryId: string,
): Promise<(Omit<HeldAlert, 'isOver'> & { readonly attempts: number; readonly spaceId: string })[]> {
  const rows = await db
    .select({
      id: alert.id,
      spaceId: alert.spaceId,
      attempts: alert.attempts,
      kind: alert.kind,
      subjectId: alert.subjectId,
      severity: alert.severity,
      deviceId: alert.deviceId,
      deviceName: device.name,
      type: anomaly.type,
      message: anomaly.message,
    })
    .from(alert)
    .leftJoin(device, eq(device.id, alert.deviceId))
    .leftJoin(anomaly, eq(anomaly.id, alert.subjectId))
    .where(and(eq(alert.deliveryId, deliveryId), eq(alert.channel, 'WEBHOOK'), eq(alert.status, 'QUEUED')))
  return rows.sort((a, b) => (a.subjectId < b.subjectId ? 1 : -1))
}

/** Notes what came of an attempt at a webhook. */
export async function noteDelivery(
  db: Db,
  deliveryId: string,
  outcome: { status: 'SENT' | 'FAILED' | 'QUEUED' | 'WITHDRAWN'; error?: string },
): Promise<void> {
  await db
    .update(alert)
    .set({
      status: outcome.status,
      attempts: sql`${alert.attempts} + 1`,
      lastError: outcome.error?.slice(0, MAX_ERROR_LENGTH) ?? null,
      ...(outcome.status === 'QUEUED' ? {} : { doneAt: new Date() }),
    })
    .where(and(eq(alert.deliveryId, deliveryId), eq(alert.channel, 'WEBHOOK')))
}

/** Lists whose held alerts should have gone out before a moment, and when. */
export async function listOverdue(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ spaceId: string; userId: string; channel: Channel; dueAt: Date | null }[]> {
  return await db
    .selectDistinct({
      spaceId: alert.spaceId,
      userId: alert.userId,
      channel: alert.channel,
      dueAt: alert.dueAt,
    })
    .from(alert)
    .where(and(eq(alert.status, 'HELD'), lt(alert.dueAt, before)))
    .limit(limit)
}

/** Lists deliveries after one, by id, that should have reached a webhook before a moment, or failed for good. */
export async function listStuckDeliveries(
  db: Db,
  { after, before }: { after: string; before: Date },
  limit: number,
): Promise<{ spaceId: string; userId: string; deliveryId: string | null }[]> {
  return await db
    .selectDistinct({ spaceId: alert.spaceId, userId: alert.userId, deliveryId: alert.deliveryId })
    .from(alert)
    .where(and(eq(alert.status, 'QUEUED'), lt(alert.dueAt, before), gt(alert.deliveryId, after)))
    .orderBy(alert.deliveryId)
    .limit(limit)
}

/** Deletes the oldest alerts below an id; answers how many. */
export async function deleteAlertsBelow(db: Db, id: string, limit: number): Promise<number> {
  const [result] = await db.delete(alert).where(lt(alert.id, id)).limit(limit)
  return result.affectedRows
}
