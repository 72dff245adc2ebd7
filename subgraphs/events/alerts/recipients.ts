import type { RowDataPacket } from 'mysql2'
import type { Pool } from 'mysql2/promise'
import type { MailLocale } from '../../shared/mail/mail-outbox.ts'
import type { Channel } from './alert-job.ts'
import {
  DEFAULT_SETTINGS,
  fromRow,
  type NotificationSettings,
  type SettingsRow,
} from './notification-settings.ts'

/** How long who is to be told is remembered: as long after leaving a space may somebody be told of it. */
const KEEP_MS = 2_000

/** Spaces remembered; past it all are forgotten, which costs one statement each. */
const MAX_SPACES = 1_000

/** A member of a space who may be told of something. */
export interface Recipient {
  readonly userId: string
  readonly email: string
  readonly locale: MailLocale
  readonly settings: NotificationSettings
  /** By which they want to be told. */
  readonly channels: readonly Channel[]
}

/** The members of a space as alerts need them. */
export interface SpaceRecipients {
  readonly spaceName: string
  readonly timezone: string
  readonly recipients: readonly Recipient[]
}

/** Who is to be told. */
export interface Recipients {
  /** The members of a space, with their settings; null when there is no such space. One statement, now and then. */
  of(spaceId: string): Promise<SpaceRecipients | null>
}

type Row = RowDataPacket &
  SettingsRow & {
    spaceName: string
    timezone: string
    userId: string | null
    address: string
    locale: MailLocale
    isVerified: number
    hasSettings: number
  }

const SELECT_MEMBERS = `
  SELECT s.name AS spaceName, s.timezone, m.user_id AS userId, u.email AS address, u.locale,
    u.email_verified_at IS NOT NULL AS isVerified, n.user_id IS NOT NULL AS hasSettings, n.severities,
    n.offline_after_minutes AS offlineAfterMinutes, n.quiet_from AS quietFrom, n.quiet_to AS quietTo,
    n.quiet_timezone AS quietTimezone, n.email, n.webhook_url AS webhookUrl, n.webhook_secret AS webhookSecret,
    n.digest, n.version
  FROM space s
  JOIN membership m ON m.space_id = s.id
  JOIN user u ON u.id = m.user_id
  LEFT JOIN notification_setting n ON n.space_id = m.space_id AND n.user_id = m.user_id
  WHERE s.id = ? AND s.deleted_at IS NULL`

/** Creates the lookup. */
export function createRecipients({ pool }: { pool: Pool }): Recipients {
  const kept = new Map<string, { readonly at: number; readonly members: Promise<SpaceRecipients | null> }>()

  async function load(spaceId: string): Promise<SpaceRecipients | null> {
    const [rows] = await pool.query<Row[]>(SELECT_MEMBERS, [spaceId])
    const [first] = rows
    if (first === undefined) return null
    return { spaceName: first.spaceName, timezone: first.timezone, recipients: rows.map(toRecipient) }
  }

  return {
    of(spaceId) {
      const now = performance.now()
      const known = kept.get(spaceId)
      if (known !== undefined && now - known.at < KEEP_MS) return known.members
      if (kept.size >= MAX_SPACES) kept.clear()
      const members = load(spaceId)
      kept.set(spaceId, { at: now, members })
      members.catch(() => kept.delete(spaceId))
      return members
    },
  }
}

function toRecipient(row: Row): Recipient {
  const settings = row.hasSettings ? fromRow(row) : DEFAULT_SETTINGS
  const channels: Channel[] = []
  if (settings.email && row.isVerified) channels.push('EMAIL')
  if (settings.webhook !== null) channels.push('WEBHOOK')
  return { userId: row.userId ?? '', email: row.address, locale: row.locale, settings, channels }
}
