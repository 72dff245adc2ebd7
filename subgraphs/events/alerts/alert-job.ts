import type { AnomalyState } from '../../../schema/live-event.ts'

/** Name of BullMQ's queue of alerts, in the ingest Redis, whose every append is on disk. */
export const ALERT_QUEUE = 'alerts'

/** That of messages to webhooks, which may take long and hold nothing else up. */
export const WEBHOOK_QUEUE = 'alert-webhooks'

/** How people are told. */
export type Channel = 'EMAIL' | 'WEBHOOK'

/** An anomaly was raised, or has become graver. */
export interface AnomalyJob {
  readonly kind: 'anomaly'
  readonly anomaly: Pick<AnomalyState, 'id' | 'spaceId' | 'deviceId' | 'type' | 'severity' | 'message'>
}

/** A device went offline. `at` is epoch milliseconds. */
export interface OfflineJob {
  readonly kind: 'offline'
  readonly eventId: string
  readonly spaceId: string
  readonly deviceId: string
  readonly at: number
}

/** A device has been offline for as long as some wait, unless it is back. */
export interface OfflineDueJob extends Omit<OfflineJob, 'kind'> {
  readonly kind: 'offline-due'
  readonly afterMinutes: number
}

/** What was held for a person until a moment is to go out together. `dueAt` is epoch milliseconds. */
export interface DigestJob {
  readonly kind: 'digest'
  readonly spaceId: string
  readonly userId: string
  readonly channel: Channel
  readonly dueAt: number
}

/** A message is to be sent to a webhook: that of the alerts with this delivery. */
export interface WebhookJob {
  readonly kind: 'webhook'
  readonly spaceId: string
  readonly userId: string
  readonly deliveryId: string
}

/** What the worker has to do for alerts. */
export type AlertJob = AnomalyJob | OfflineJob | OfflineDueJob | DigestJob | WebhookJob

/** The job's id: the same however often it is asked for, so that it is done once. */
export function idOfJob(job: AlertJob): string {
  switch (job.kind) {
    case 'anomaly':
      return `anomaly-${job.anomaly.id}-${job.anomaly.severity}`
    case 'offline':
      return `offline-${job.eventId}`
    case 'offline-due':
      return `offline-due-${job.eventId}-${job.afterMinutes}`
    case 'digest':
      return `digest-${job.spaceId}-${job.userId}-${job.channel}-${job.dueAt}`
    case 'webhook':
      return `webhook-${job.deliveryId}`
  }
}

/** When a job is to be done, in epoch milliseconds; undefined is at once. */
export function dueTimeOf(job: AlertJob): number | undefined {
  if (job.kind === 'digest') return job.dueAt
  return job.kind === 'offline-due' ? job.at + job.afterMinutes * 60_000 : undefined
}

/** Name of the queue that a job belongs in. */
export function queueOf(job: AlertJob): typeof ALERT_QUEUE | typeof WEBHOOK_QUEUE {
  return job.kind === 'webhook' ? WEBHOOK_QUEUE : ALERT_QUEUE
}
