import { SEVERITIES } from '../severity.ts'
import { moment, uuid } from './columns.ts'
import { boolean, index, int, mysqlTable, primaryKey, smallint, uniqueIndex, varchar } from './drizzle.ts'

/** Tables of who wants to be told of what, and of what they were told. */

/**
 * What a member wants to be told of a space, and how; who has no row has the defaults. `severities` is a sum: 1 INFO,
 * 2 MINOR, 4 MAJOR, 8 CRITICAL. Quiet hours are minutes of the day in `quiet_timezone`, all three or none; from after
 * to spans midnight. Without `offline_after_minutes` a device that goes offline is not told of. `version` rises with
 * every change.
 */
export const notificationSetting = mysqlTable(
  'notification_setting',
  {
    spaceId: uuid('space_id').notNull(),
    userId: uuid('user_id').notNull(),
    severities: smallint('severities').notNull(),
    offlineAfterMinutes: smallint('offline_after_minutes'),
    quietFrom: smallint('quiet_from'),
    quietTo: smallint('quiet_to'),
    quietTimezone: varchar('quiet_timezone', { length: 64 }),
    email: boolean('email').notNull(),
    webhookUrl: varchar('webhook_url', { length: 2048 }),
    webhookSecret: varchar('webhook_secret', { length: 256 }),
    digest: varchar('digest', { length: 8, enum: ['OFF', 'HOURLY', 'DAILY'] }).notNull(),
    version: int('version').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  t => [primaryKey({ columns: [t.spaceId, t.userId] }), index('notification_setting_user').on(t.userId)],
)

/**
 * One thing that one person is told of by one channel, once, whatever happens: `subject_id` is the anomaly or the
 * presence event. HELD until `due_at`, when what is held goes out together. MAILED is written to `mail_outbox`, whose row
 * `delivery_id` tells the rest; QUEUED is on its way to a webhook. Those of one digest share their delivery.
 */
export const alert = mysqlTable(
  'alert',
  {
    id: uuid('id').primaryKey(),
    spaceId: uuid('space_id').notNull(),
    userId: uuid('user_id').notNull(),
    channel: varchar('channel', { length: 8, enum: ['EMAIL', 'WEBHOOK'] }).notNull(),
    kind: varchar('kind', { length: 8, enum: ['ANOMALY', 'OFFLINE'] }).notNull(),
    subjectId: uuid('subject_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    severity: varchar('severity', { length: 8, enum: SEVERITIES }),
    status: varchar('status', {
      length: 12,
      enum: ['HELD', 'MAILED', 'QUEUED', 'SENT', 'FAILED', 'WITHDRAWN'],
    }).notNull(),
    heldFor: varchar('held_for', { length: 12, enum: ['QUIET_HOURS', 'DIGEST', 'STORM', 'FLAPPING'] }),
    dueAt: moment('due_at'),
    deliveryId: uuid('delivery_id'),
    createdAt: moment('created_at').notNull(),
    doneAt: moment('done_at'),
    attempts: smallint('attempts').notNull(),
    lastError: varchar('last_error', { length: 512 }),
  },
  t => [
    uniqueIndex('alert_subject').on(t.subjectId, t.userId, t.channel),
    index('alert_space').on(t.spaceId, t.id),
    index('alert_member').on(t.spaceId, t.userId, t.id),
    index('alert_held').on(t.spaceId, t.userId, t.channel, t.status, t.dueAt),
    index('alert_due').on(t.status, t.dueAt),
    index('alert_recent').on(t.spaceId, t.userId, t.channel, t.heldFor, t.createdAt),
    index('alert_delivery').on(t.deliveryId),
    index('alert_device').on(t.deviceId, t.userId, t.kind, t.createdAt),
  ],
)
