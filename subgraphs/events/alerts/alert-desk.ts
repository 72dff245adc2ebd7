import { createBoundedCache } from '../../shared/bounded-cache.ts'
import type { Logger } from '../../shared/logger.ts'
import { enqueueMails } from '../../shared/mail/mail-outbox.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../../shared/mysql/short-transaction.ts'
import { newId } from '../../shared/uuid-v7.ts'
import {
  type AlertJob,
  type AnomalyJob,
  type DigestJob,
  idOfJob,
  type OfflineDueJob,
  type OfflineJob,
  type WebhookJob,
} from './alert-job.ts'
import { toMailItem, toMailScope } from './alert-mail.ts'
import type { AlertMetrics } from './alert-metrics.ts'
import type { AlertQueue } from './alert-queue.ts'
import {
  findWaitingDelivery,
  type HeldAlert,
  holdUntil,
  isOfflineSince,
  lockHeldAlerts,
  noteDelivery,
  sendHeldAlerts,
  withdrawAlerts,
} from './alert-repository.ts'
import { createAlertWriter, type Subject, type WrittenAlert } from './alert-writer.ts'
import { findQuietEnd } from './quiet-hours.ts'
import type { Recipient, Recipients } from './recipients.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** Follow-ups that a process remembers to have asked for. */
const MAX_ASKED = 10_000

/** Alerts that one digest closes. */
const MAX_DIGEST = 10_000

/** Alerts that a digest names. */
const MAX_NAMED = 20

/** Attempts at a webhook, which with the back-off of its jobs reach over a day. */
const MAX_WEBHOOK_ATTEMPTS = 24

/** Whoever waits for longer: a device is looked at so often meanwhile, so that few jobs wait for one that comes and goes. */
const MAX_WAIT_MINUTES = 60

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

/** Creates the desk. */
export function createAlertDesk(options: AlertDeskOptions): AlertDesk {
  const { db, recipients, queue, webhooks, makeUnsubscribeToken, nudgeMailer, metrics, logger } = options
  const writer = createAlertWriter(options)
  const asked = createBoundedCache<string, true>(MAX_ASKED)

  async function onAnomaly({ anomaly }: AnomalyJob): Promise<void> {
    const { severity } = anomaly
    await tell({
      ...anomaly,
      kind: 'ANOMALY',
      isWanted: ({ settings }) => settings.severities.includes(severity),
    })
  }

  async function onOffline(job: OfflineJob): Promise<void> {
    await waitOn(job, -1)
  }

  /** A device that is back by then is not told of. */
  async function onOfflineDue(job: OfflineDueJob): Promise<void> {
    const { eventId: id, spaceId, deviceId, afterMinutes } = job
    if (!(await isOfflineSince(db, deviceId, id))) {
      metrics.withdrawn.inc()
      return
    }
    const isWanted = ({ settings: { offlineAfterMinutes: minutes } }: Recipient) =>
      minutes !== null && minutes <= afterMinutes
    await tell({ id, kind: 'OFFLINE', spaceId, deviceId, severity: null, isWanted })
    await waitOn(job, afterMinutes)
  }

  /** Looks at a device again once the next of those who wait for it would be told, as they have it by now. */
  async function waitOn(
    { eventId, spaceId, deviceId, at }: OfflineJob | OfflineDueJob,
    waitedMinutes: number,
  ): Promise<void> {
    const space = await recipients.of(spaceId)
    const later = (space?.recipients ?? []).flatMap(({ settings: { offlineAfterMinutes: minutes } }) =>
      minutes !== null && minutes > waitedMinutes ? [minutes] : [],
    )
    if (later.length === 0) return
    const afterMinutes = Math.min(Math.max(0, waitedMinutes) + MAX_WAIT_MINUTES, ...later)
    await queue.add([{ kind: 'offline-due', eventId, spaceId, deviceId, at, afterMinutes }])
  }

  /** Tells those members of a subject who want to know and have not been told of it. */
  async function tell(subject: Subject): Promise<void> {
    await addFollowUps(await writer.write(subject))
  }

  /** Asks for what follows, unless this process has lately: in a storm it is the same each time. */
  async function addFollowUps(alerts: readonly WrittenAlert[]): Promise<void> {
    const jobs = new Map(alerts.flatMap(toFollowUps).map(job => [idOfJob(job), job]))
    for (const id of jobs.keys()) if (asked.get(id)) jobs.delete(id)
    await queue.add([...jobs.values()])
    for (const id of jobs.keys()) asked.set(id, true)
  }

  async function onDigest({ spaceId, userId, channel, dueAt }: DigestJob): Promise<void> {
    const space = await recipients.of(spaceId)
    const recipient = space?.recipients.find(one => one.userId === userId && one.channels.includes(channel))
    const quietHours = recipient?.settings.quietHours ?? null
    const quietEnd = quietHours === null ? null : findQuietEnd(quietHours, Date.now())
    if (quietEnd !== null) {
      // They have changed their hours since, or it is later than it should be.
      await holdUntil(db, { spaceId, userId, channel, dueAt: new Date(dueAt) }, new Date(quietEnd))
      return await queue.add([{ kind: 'digest', spaceId, userId, channel, dueAt: quietEnd }])
    }
    const deliveryId = newId()
    const told = await runShortTransaction(db, async tx => {
      const held = await lockHeldAlerts(tx, { spaceId, userId, channel, dueAt: new Date(dueAt) }, MAX_DIGEST)
      const isTold = ({ isOver, deviceName }: HeldAlert) =>
        recipient !== undefined && deviceName !== null && !isOver
      const told = held.filter(isTold)
      const pointless = held.filter(one => !isTold(one)).map(({ id }) => id)
      await withdrawAlerts(tx, pointless, new Date())
      metrics.withdrawn.inc(pointless.length)
      if (space == null || recipient === undefined || told.length === 0) return []
      const ids = told.map(({ id }) => id)
      await sendHeldAlerts(tx, ids, { deliveryId, channel })
      if (channel === 'EMAIL') {
        const items = told.slice(0, MAX_NAMED).map(toMailItem)
        const token = makeUnsubscribeToken(spaceId, userId)
        const params = { ...toMailScope(space, token), total: told.length, items }
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

/** The jobs that follow from an alert as it stands; asking for them again asks for nothing more. */
function toFollowUps({ spaceId, userId, channel, status, dueAt, deliveryId }: WrittenAlert): AlertJob[] {
  if (status === 'HELD' && dueAt != null)
    return [{ kind: 'digest', spaceId, userId, channel, dueAt: dueAt.getTime() }]
  if (status === 'QUEUED' && channel === 'WEBHOOK' && deliveryId != null)
    return [{ kind: 'webhook', spaceId, userId, deliveryId }]
  return []
}
