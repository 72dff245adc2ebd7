import type { alert } from '../../../schema/mysql/alert-tables.ts'
import type { Logger } from '../../shared/logger.ts'
import { type AlertMailItem, enqueueMails, type Mail } from '../../shared/mail/mail-outbox.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../../shared/mysql/short-transaction.ts'
import { newId, timeOfId } from '../../shared/uuid-v7.ts'
import type { AlertJob, AnomalyJob, DigestJob, OfflineDueJob, OfflineJob, WebhookJob } from './alert-job.ts'
import type { AlertMetrics } from './alert-metrics.ts'
import type { AlertQueue } from './alert-queue.ts'
import {
  type AlertRow,
  countAbsences,
  countRecentAlerts,
  findAlertsOf,
  findDeviceName,
  findWaitingDelivery,
  type HeldAlert,
  insertAlerts,
  isOfflineSince,
  lockHeldAlerts,
  noteDelivery,
  sendHeldAlerts,
  statusOnTheWay,
  withdrawAlerts,
} from './alert-repository.ts'
import { decideDeliveryTime } from './delivery-time.ts'
import type { Recipient, Recipients, SpaceRecipients } from './recipients.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** What a person is told of one by one within CALM_WINDOW_MS; more than that is told together. */
const MAX_SINGLE_ALERTS = 10
const CALM_WINDOW_MS = 10 * 60_000

/** Absences of one device that a person is told of one by one within an hour. */
const MAX_SINGLE_ABSENCES = 2
const FLAPPING_WINDOW_MS = 60 * 60_000

/** Alerts that one digest closes. */
const MAX_DIGEST = 10_000

/** Alerts that a digest names. */
const MAX_NAMED = 20

/** Attempts at a webhook, which with the back-off of its jobs reach over a day. */
const MAX_WEBHOOK_ATTEMPTS = 16

/** The job failed in a way that may heal; it is to be done again, not before `retryAfterMs` when that is said. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError'
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Tells people of what has happened, as they want to be told. */
export interface AlertDesk {
  /**
   * Does a job, or what is left of it by an attempt that was cut off: each person gets each alert once by each channel.
   * Rejects when it must be done again.
   */
  handle(job: AlertJob): Promise<void>
}

export interface AlertDeskOptions {
  db: Db
  recipients: Recipients
  /** Takes the jobs that follow from others. */
  queue: Pick<AlertQueue, 'add'>
  webhooks: WebhookSender
  /** Makes the token by which a member ends mail of a space. */
  makeUnsubscribeToken: (spaceId: string, userId: string) => string
  /** Tells the mailer of this process, if it has one, that mail was written. */
  nudgeMailer?: () => void
  metrics: AlertMetrics
  logger: Logger
}

/** What an alert is about. */
interface Subject {
  readonly id: string
  readonly kind: AlertRow['kind']
  readonly spaceId: string
  readonly deviceId: string
  readonly severity: AlertRow['severity']
  readonly type?: string
  readonly message?: string | null
}

type NewAlert = typeof alert.$inferInsert

/** Creates the desk. */
export function createAlertDesk(options: AlertDeskOptions): AlertDesk {
  const { db, recipients, queue, webhooks, makeUnsubscribeToken, nudgeMailer, metrics, logger } = options

  async function onAnomaly({ anomaly }: AnomalyJob): Promise<void> {
    const { severity } = anomaly
    const subject: Subject = { ...anomaly, kind: 'ANOMALY' }
    await tell(subject, ({ settings }) => settings.severities.includes(severity))
  }

  /** Waits for each time that someone waits for; a device that is back by then is not told of. */
  async function onOffline(job: OfflineJob): Promise<void> {
    const space = await recipients.of(job.spaceId)
    const times = new Set(space?.recipients.map(({ settings }) => settings.offlineAfterMinutes))
    times.delete(null)
    await queue.add(
      Array.from(
        times,
        (afterMinutes): OfflineDueJob => ({
          ...job,
          kind: 'offline-due',
          afterMinutes: afterMinutes ?? 0,
        }),
      ),
    )
  }

  async function onOfflineDue({ eventId, spaceId, deviceId, afterMinutes }: OfflineDueJob): Promise<void> {
    if (!(await isOfflineSince(db, deviceId, eventId))) {
      metrics.withdrawn.inc()
      return
    }
    const subject: Subject = { id: eventId, kind: 'OFFLINE', spaceId, deviceId, severity: null }
    await tell(subject, ({ settings }) => settings.offlineAfterMinutes === afterMinutes)
  }

  /** Tells those members of a subject who want to know and have not been told of it. */
  async function tell(subject: Subject, isWanted: (recipient: Recipient) => boolean): Promise<void> {
    const space = await recipients.of(subject.spaceId)
    const wanting = space?.recipients.filter(one => one.channels.length > 0 && isWanted(one)) ?? []
    const known = await findAlertsOf(db, subject.id)
    const deviceName = await findDeviceName(db, subject.deviceId)
    let rows: readonly AlertFollowUp[] = known
    if (space !== null && deviceName !== null) {
      const told = new Set(known.map(({ userId, channel }) => `${userId} ${channel}`))
      const missing = wanting.flatMap(recipient =>
        recipient.channels
          .filter(channel => !told.has(`${recipient.userId} ${channel}`))
          .map(channel => ({ recipient, channel })),
      )
      if (missing.length > 0) rows = [...known, ...(await write(subject, space, deviceName, missing))]
    }
    await queue.add(rows.flatMap(toFollowUps))
  }

  /** Writes alerts, and the mails of those that go out at once. */
  async function write(
    subject: Subject,
    space: SpaceRecipients,
    deviceName: string,
    missing: readonly { recipient: Recipient; channel: AlertRow['channel'] }[],
  ): Promise<NewAlert[]> {
    const now = Date.now()
    const userIds = [...new Set(missing.map(({ recipient }) => recipient.userId))]
    const recent = await countRecentAlerts(db, subject.spaceId, userIds, new Date(now - CALM_WINDOW_MS))
    const absences =
      subject.kind === 'OFFLINE'
        ? await countAbsences(db, subject.deviceId, userIds, new Date(now - FLAPPING_WINDOW_MS))
        : new Map<string, number>()
    const mails: (Mail<'alert'> & { readonly id: string })[] = []
    const rows = missing.map(({ recipient, channel }): NewAlert => {
      const key = `${recipient.userId} ${channel}`
      const time = decideDeliveryTime(recipient.settings, {
        now,
        timezone: space.timezone,
        isStorm: (recent.get(key) ?? 0) >= MAX_SINGLE_ALERTS,
        isFlapping: (absences.get(key) ?? 0) >= MAX_SINGLE_ABSENCES,
      })
      const deliveryId = time.heldFor === null ? newId() : null
      if (deliveryId !== null && channel === 'EMAIL') {
        const params = {
          ...toMailItem({ ...subject, subjectId: subject.id, type: subject.type ?? null, deviceName }),
          ...mailScope(subject.spaceId, space, recipient),
        }
        mails.push({
          id: deliveryId,
          to: recipient.email,
          template: 'alert',
          locale: recipient.locale,
          params,
        })
      }
      return {
        id: newId(),
        spaceId: subject.spaceId,
        userId: recipient.userId,
        channel,
        kind: subject.kind,
        subjectId: subject.id,
        deviceId: subject.deviceId,
        severity: subject.severity,
        status: time.heldFor === null ? statusOnTheWay(channel) : 'HELD',
        heldFor: time.heldFor,
        dueAt: new Date(time.heldFor === null ? now : time.dueAt),
        deliveryId,
        createdAt: new Date(now),
        doneAt: null,
        attempts: 0,
        lastError: null,
      }
    })
    await runShortTransaction(db, async tx => {
      await insertAlerts(tx, rows)
      await enqueueMails(tx, mails)
    })
    if (mails.length > 0) nudgeMailer?.()
    for (const { channel, heldFor } of rows) metrics.alerts.inc({ channel, held_for: heldFor ?? 'nothing' })
    return rows
  }

  async function onDigest({ spaceId, userId, channel, dueAt }: DigestJob): Promise<void> {
    const space = await recipients.of(spaceId)
    const recipient = space?.recipients.find(one => one.userId === userId && one.channels.includes(channel))
    const deliveryId = newId()
    const told = await runShortTransaction(db, async tx => {
      const held = await lockHeldAlerts(tx, { spaceId, userId, channel, dueAt: new Date(dueAt) }, MAX_DIGEST)
      const isTold = ({ kind, isOnline, deviceName }: HeldAlert) =>
        recipient !== undefined && deviceName !== null && !(kind === 'OFFLINE' && isOnline === true)
      const told = held.filter(isTold)
      const pointless = held.filter(one => !isTold(one)).map(({ id }) => id)
      await withdrawAlerts(tx, pointless, new Date())
      metrics.withdrawn.inc(pointless.length)
      if (space == null || recipient === undefined || told.length === 0) return []
      const ids = told.map(({ id }) => id)
      await sendHeldAlerts(tx, ids, { deliveryId, channel })
      if (channel === 'EMAIL') {
        const items = told.slice(0, MAX_NAMED).map(toMailItem)
        const params = { ...mailScope(spaceId, space, recipient), total: told.length, items }
        const { email: to, locale } = recipient
        await enqueueMails(tx, [{ id: deliveryId, to, template: 'alert-digest', locale, params }])
      }
      return told
    })
    if (told.length === 0) return
    metrics.digests.inc({ channel })
    if (channel === 'EMAIL') nudgeMailer?.()
    else await queue.add([{ kind: 'webhook', spaceId, userId, deliveryId }])
  }

  async function onWebhook({ spaceId, userId, deliveryId }: WebhookJob): Promise<void> {
    const alerts = await findWaitingDelivery(db, deliveryId)
    const [first] = alerts
    if (first === undefined) return
    const space = await recipients.of(spaceId)
    const webhook = space?.recipients.find(one => one.userId === userId)?.settings.webhook ?? null
    if (space == null || webhook === null) return await noteDelivery(db, deliveryId, { status: 'WITHDRAWN' })
    const body = {
      type: alerts.length === 1 ? 'alert' : 'alert-digest',
      space: { id: spaceId, name: space.spaceName },
      total: alerts.length,
      alerts: alerts.slice(0, MAX_NAMED).map(({ id, subjectId, ...one }) => ({
        ...toMailItem({ ...one, subjectId }),
        id: subjectId,
        deviceId: one.deviceId,
      })),
    }
    const outcome = await webhooks.send({ id: deliveryId, url: webhook.url, secret: webhook.secret, body })
    metrics.webhooks.inc({ outcome: outcome.kind })
    if (outcome.kind === 'delivered') return await noteDelivery(db, deliveryId, { status: 'SENT' })
    const isLast = outcome.kind === 'refused' || first.attempts + 1 >= MAX_WEBHOOK_ATTEMPTS
    await noteDelivery(db, deliveryId, { status: isLast ? 'FAILED' : 'QUEUED', error: outcome.reason })
    if (isLast) logger.warn({ spaceId, userId, deliveryId, reason: outcome.reason }, 'alerts.webhook_failed')
    else
      throw new RetryLaterError(outcome.reason, outcome.kind === 'failed' ? outcome.retryAfterMs : undefined)
  }

  function mailScope(spaceId: string, { spaceName, timezone }: SpaceRecipients, { userId }: Recipient) {
    return { spaceName, timezone, unsubscribeToken: makeUnsubscribeToken(spaceId, userId) }
  }

  return {
    async handle(job) {
      switch (job.kind) {
        case 'anomaly':
          return await onAnomaly(job)
        case 'offline':
          return await onOffline(job)
        case 'offline-due':
          return await onOfflineDue(job)
        case 'digest':
          return await onDigest(job)
        case 'webhook':
          return await onWebhook(job)
      }
    },
  }
}

/** What decides what is to be done for an alert after it was written. */
type AlertFollowUp = Pick<NewAlert, 'spaceId' | 'userId' | 'channel' | 'status' | 'dueAt' | 'deliveryId'>

/** The jobs that follow from an alert as it stands; asking for them again asks for nothing more. */
function toFollowUps({ spaceId, userId, channel, status, dueAt, deliveryId }: AlertFollowUp): AlertJob[] {
  if (status === 'HELD' && dueAt != null)
    return [{ kind: 'digest', spaceId, userId, channel, dueAt: dueAt.getTime() }]
  if (status === 'QUEUED' && channel === 'WEBHOOK' && deliveryId != null)
    return [{ kind: 'webhook', spaceId, userId, deliveryId }]
  return []
}

function toMailItem({
  kind,
  subjectId,
  deviceName,
  severity,
  type,
  message,
}: Pick<HeldAlert, 'kind' | 'subjectId' | 'deviceName' | 'severity' | 'type'> & {
  message?: string | null
}): AlertMailItem {
  return {
    kind,
    deviceName: deviceName ?? '-',
    occurredAt: new Date(timeOfId(subjectId)).toISOString(),
    ...(severity == null ? {} : { severity }),
    ...(type == null ? {} : { type }),
    ...(message == null || message === '' ? {} : { message }),
  }
}
