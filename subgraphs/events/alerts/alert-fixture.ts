import { alert, notificationSetting } from '../../../schema/mysql/alert-tables.ts'
import { device, mailOutbox, membership, space, user } from '../../../schema/mysql/device-tables.ts'
import { asc, eq } from '../../../schema/mysql/drizzle.ts'
import { deviceStatus, presenceEvent } from '../../../schema/mysql/ingest-tables.ts'
import type { Severity } from '../../../schema/severity.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import type { AnomalyJob, OfflineJob } from './alert-job.ts'
import type { AlertRow } from './alert-repository.ts'
import { DEFAULT_SETTINGS, type NotificationSettings, toRow } from './notification-settings.ts'

/** A space with a device and people who are told of it. */
export interface AlertFixture {
  readonly spaceId: string
  readonly deviceId: string
  /** Adds a member, who has the defaults but for what is given; without any, no settings at all. */
  addMember(settings?: Partial<NotificationSettings>): Promise<{ userId: string; email: string }>
  /** What ingest asks for when an anomaly is raised. */
  anomalyJob(severity?: Severity, id?: string): AnomalyJob
  /** Notes that the device went on- or offline, as ingest does, and answers what it asks for. */
  goOffline(at: number): Promise<OfflineJob>
  goOnline(at: number): Promise<void>
  /** All alerts of the space, oldest first. */
  alerts(): Promise<AlertRow[]>
  /** All mails, oldest first. */
  mails(): Promise<(typeof mailOutbox.$inferSelect)[]>
}

/** Writes the fixture to a database of tests. */
export async function createAlertFixture(db: Db, timezone = 'Asia/Seoul'): Promise<AlertFixture> {
  const [spaceId, deviceId] = [newId(), newId()]
  await db.insert(space).values({ id: spaceId, name: 'Suwon', timezone, createdAt: new Date() })
  await db.insert(device).values({
    ...{ id: deviceId, spaceId, code: deviceId, name: 'CAM-1', model: 'C1' },
    createdAt: new Date(),
  })
  await db.insert(deviceStatus).values({ deviceId, spaceId })

  async function setPresence(isOnline: boolean, at: number): Promise<string> {
    const id = newIdAt(at)
    await db.insert(presenceEvent).values({ spaceId, id, deviceId, kind: isOnline ? 'ONLINE' : 'OFFLINE' })
    await db.update(deviceStatus).set({ online: isOnline }).where(eq(deviceStatus.deviceId, deviceId))
    return id
  }

  return {
    spaceId,
    deviceId,
    async addMember(settings) {
      const userId = newId()
      const email = `${userId}@example.com`
      const now = new Date()
      await db.insert(user).values({
        ...{ id: userId, email, name: 'Kim', passwordHash: '-', createdAt: now, emailVerifiedAt: now },
      })
      await db.insert(membership).values({ spaceId, userId, role: 'VIEWER', joinedAt: now })
      if (settings !== undefined) {
        const row = toRow({ ...DEFAULT_SETTINGS, ...settings })
        await db.insert(notificationSetting).values({ ...row, spaceId, userId, updatedAt: now })
      }
      return { userId, email }
    },
    anomalyJob: (severity = 'CRITICAL', id = newId()) => ({
      kind: 'anomaly',
      anomaly: { id, spaceId, deviceId, type: 'overheat', severity, message: '92 °C' },
    }),
    async goOffline(at) {
      return { kind: 'offline', eventId: await setPresence(false, at), spaceId, deviceId, at }
    },
    async goOnline(at) {
      await setPresence(true, at)
    },
    alerts: () => db.select().from(alert).where(eq(alert.spaceId, spaceId)).orderBy(asc(alert.id)),
    mails: () => db.select().from(mailOutbox).orderBy(asc(mailOutbox.id)),
  }
}
