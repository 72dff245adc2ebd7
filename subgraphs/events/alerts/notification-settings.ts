import { SEVERITIES, type Severity } from '../../../schema/severity.ts'
import type { QuietHours } from './quiet-hours.ts'

/** When what is told by the way is told: at once, at each full hour, or at eight in the morning of the space. */
export type DigestInterval = 'OFF' | 'HOURLY' | 'DAILY'

/** What a member wants to be told of a space, and how. */
export interface NotificationSettings {
  readonly severities: readonly Severity[]
  /** Null: a device that goes offline is not told of. */
  readonly offlineAfterMinutes: number | null
  readonly quietHours: QuietHours | null
  readonly email: boolean
  readonly webhook: { readonly url: string; readonly secret: string | null } | null
  readonly digest: DigestInterval
  /** Rises with every change; 0 of those who have changed nothing. */
  readonly version: number
}

/** What holds for members who have not said otherwise. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  severities: ['MAJOR', 'CRITICAL'],
  offlineAfterMinutes: 10,
  quietHours: null,
  email: true,
  webhook: null,
  digest: 'OFF',
  version: 0,
}

/** A row of `notification_setting`, as either driver answers it. */
export interface SettingsRow {
  readonly severities: number
  readonly offlineAfterMinutes: number | null
  readonly quietFrom: number | null
  readonly quietTo: number | null
  readonly quietTimezone: string | null
  readonly email: boolean | number
  readonly webhookUrl: string | null
  readonly webhookSecret: string | null
  readonly digest: DigestInterval
  readonly version: number
}

/** Reads a row. */
export function fromRow(row: SettingsRow): NotificationSettings {
  const { quietFrom: from, quietTo: to, quietTimezone: timezone, webhookUrl: url } = row
  return {
    severities: SEVERITIES.filter((_, index) => (row.severities & (1 << index)) !== 0),
    offlineAfterMinutes: row.offlineAfterMinutes,
    quietHours: from === null || to === null || timezone === null ? null : { from, to, timezone },
    email: Boolean(row.email),
    webhook: url === null ? null : { url, secret: row.webhookSecret },
    digest: row.digest,
    version: row.version,
  }
}

/** Makes the columns of a row. */
export function toRow(settings: NotificationSettings): Omit<SettingsRow, 'email'> & { email: boolean } {
  return {
    severities: settings.severities.reduce((sum, severity) => sum | (1 << SEVERITIES.indexOf(severity)), 0),
    offlineAfterMinutes: settings.offlineAfterMinutes,
    quietFrom: settings.quietHours?.from ?? null,
    quietTo: settings.quietHours?.to ?? null,
    quietTimezone: settings.quietHours?.timezone ?? null,
    email: settings.email,
    webhookUrl: settings.webhook?.url ?? null,
    webhookSecret: settings.webhook?.secret ?? null,
    digest: settings.digest,
    version: settings.version,
  }
}
