import { notificationSetting } from '../../../schema/mysql/alert-tables.ts'
import { and, eq, sql } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { DEFAULT_SETTINGS, fromRow, type NotificationSettings, toRow } from './notification-settings.ts'

/** Whose settings of which space. */
export interface SettingsKey {
  readonly spaceId: string
  readonly userId: string
}

const isOf = ({ spaceId, userId }: SettingsKey) =>
  and(eq(notificationSetting.spaceId, spaceId), eq(notificationSetting.userId, userId))

/** Finds what a member has set, or the defaults. */
export async function findSettings(db: Db, key: SettingsKey): Promise<NotificationSettings> {
  const [row] = await db.select().from(notificationSetting).where(isOf(key))
  return row === undefined ? DEFAULT_SETTINGS : fromRow(row)
}

/** Locks what a member has set, having made the row of who has set nothing, whoever else does at the same time. */
export async function lockSettings(tx: Db, key: SettingsKey): Promise<NotificationSettings> {
  await tx
    .insert(notificationSetting)
    .values({ ...toRow(DEFAULT_SETTINGS), ...key, updatedAt: new Date() })
    .onDuplicateKeyUpdate({ set: { version: sql`version` } })
  const [row] = await tx.select().from(notificationSetting).where(isOf(key)).for('update')
  return row === undefined ? DEFAULT_SETTINGS : fromRow(row)
}

/** Writes all of a member's settings over the row that lockSettings has made. */
export async function updateSettings(
  tx: Db,
  key: SettingsKey,
  settings: NotificationSettings,
): Promise<void> {
  await tx
    .update(notificationSetting)
    .set({ ...toRow(settings), updatedAt: new Date() })
    .where(isOf(key))
}
