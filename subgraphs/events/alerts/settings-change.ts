import { SEVERITIES } from '../../../schema/severity.ts'
import { refuse } from '../../shared/graphql/refusal.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../../shared/mysql/short-transaction.ts'
import { parseTimezone } from '../../shared/text/parse-timezone.ts'
import type { UpdateNotificationSettingsInput } from '../resolver-types.generated.ts'
import type { NotificationSettings } from './notification-settings.ts'
import type { QuietHours } from './quiet-hours.ts'
import { lockSettings, type SettingsKey, updateSettings } from './settings-repository.ts'
import { parseWebhookUrl } from './webhook-address.ts'

/** Minutes that a device may be waited for: a week. */
const MAX_OFFLINE_MINUTES = 10_080

/** Characters of a webhook's secret. */
const SECRET_LENGTH = { min: 16, max: 256 }

/**
 * Changes what a member wants to be told of; what is left out stays. Rejects with a Refusal for what they can mend, among
 * it that the settings are no longer those of `version`.
 */
export async function changeSettings(
  db: Db,
  key: SettingsKey,
  input: UpdateNotificationSettingsInput,
  { allowPrivate }: { allowPrivate: boolean },
): Promise<NotificationSettings> {
  const edit = readEdit(input, allowPrivate)
  return await runShortTransaction(db, async tx => {
    const before = await lockSettings(tx, key)
    if (input.version != null && input.version !== before.version)
      refuse('CONFLICT', 'version', `The settings have been changed: they are at version ${before.version}.`)
    const after = { ...edit(before), version: before.version + 1 }
    await updateSettings(tx, key, after)
    return after
  })
}

/** Ends mail of a space for a member, as the link in it asks for; nothing else changes. */
export async function endMail(db: Db, key: SettingsKey): Promise<void> {
  await runShortTransaction(db, async tx => {
    const before = await lockSettings(tx, key)
    if (before.email) await updateSettings(tx, key, { ...before, email: false, version: before.version + 1 })
  })
}

/** Reads an edit whole before anything is locked. */
function readEdit(
  input: UpdateNotificationSettingsInput,
  allowPrivate: boolean,
): (before: NotificationSettings) => NotificationSettings {
  const { severities, offlineAfterMinutes: minutes, quietHours, email, webhook, digest } = input
  if (minutes != null && (minutes < 0 || minutes > MAX_OFFLINE_MINUTES))
    refuse(
      'BAD_USER_INPUT',
      'offlineAfterMinutes',
      `offlineAfterMinutes is 0 to ${MAX_OFFLINE_MINUTES}, or null.`,
    )
  const quiet = quietHours == null ? null : readQuietHours(quietHours)
  const url = webhook == null ? null : readWebhookUrl(webhook.url, allowPrivate)
  const secret = webhook?.secret
  if (secret != null) checkSecret(secret)
  return before => ({
    ...before,
    ...(severities == null ? {} : { severities: SEVERITIES.filter(one => severities.includes(one)) }),
    ...(minutes === undefined ? {} : { offlineAfterMinutes: minutes }),
    ...(quietHours === undefined ? {} : { quietHours: quiet }),
    ...(email == null ? {} : { email }),
    ...(digest == null ? {} : { digest }),
    ...(webhook === undefined
      ? {}
      : {
          webhook:
            url === null
              ? null
              : { url, secret: secret === undefined ? (before.webhook?.secret ?? null) : secret },
        }),
  })
}

function readQuietHours({ from, to, timezone }: { from: string; to: string; timezone: string }): QuietHours {
  const zone = parseTimezone(timezone)
  if (zone.problem !== undefined)
    refuse('BAD_USER_INPUT', 'quietHours.timezone', `quietHours.timezone ${zone.problem}`)
  const hours = { from: readClock('from', from), to: readClock('to', to), timezone: zone.value }
  if (hours.from === hours.to)
    refuse('BAD_USER_INPUT', 'quietHours.to', 'quietHours.to is another time than quietHours.from.')
  return hours
}

function readClock(field: 'from' | 'to', text: string): number {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour === undefined || minute === undefined)
    refuse('BAD_USER_INPUT', `quietHours.${field}`, `quietHours.${field} is a time of day such as 22:00.`)
  return Number(hour) * 60 + Number(minute)
}

function readWebhookUrl(text: string, allowPrivate: boolean): string {
  const { value, problem } = parseWebhookUrl(text, { allowPrivate })
  if (problem !== undefined) refuse('BAD_USER_INPUT', 'webhook.url', `webhook.url ${problem}`)
  return value
}

function checkSecret(secret: string): void {
  const { min, max } = SECRET_LENGTH
  const isText = secret.length >= min && secret.length <= max && /^[\x21-\x7e]+$/.test(secret)
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : null
  if (!isText || (key !== null && key.length < min))
    refuse(
      'BAD_USER_INPUT',
      'webhook.secret',
      `webhook.secret is ${min} to ${max} visible ASCII characters; after whsec_, base64 of ${min} bytes or more.`,
    )
}
