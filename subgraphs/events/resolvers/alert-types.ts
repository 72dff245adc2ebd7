import { timeOfId } from '../../shared/uuid-v7.ts'
import type { QuietHours } from '../alerts/quiet-hours.ts'
import type { AlertParent } from '../model.ts'
import type { AlertStatus, Resolvers } from '../resolver-types.generated.ts'

/** Resolvers of what is told to whom. */
export const alertTypes: Pick<Resolvers, 'NotificationSettings' | 'Alert'> = {
  NotificationSettings: {
    severities: ({ severities }) => [...severities],
    quietHours: ({ quietHours }) => (quietHours === null ? null : showQuietHours(quietHours)),
    webhook: ({ webhook }) =>
      webhook === null ? null : { url: webhook.url, secretSet: webhook.secret !== null },
  },

  Alert: {
    status: statusOf,
    user: ({ userId }) => ({ id: userId }),
    device: ({ deviceId }) => ({ id: deviceId }),
    anomaly: async ({ kind, subjectId }, _, { anomalies }) =>
      kind === 'ANOMALY' ? anomalies.byId.load(subjectId) : null,
    occurredAt: ({ subjectId }) => new Date(timeOfId(subjectId)),
    dueAt: ({ status, dueAt }) => (status === 'HELD' ? dueAt : null),
    doneAt: ({ doneAt, sentAt, failedAt }) => doneAt ?? sentAt ?? failedAt,
    error: ({ lastError, mailError }) => lastError ?? mailError,
  },
}

function statusOf({ status, mailId, sentAt, failedAt }: AlertParent): AlertStatus {
  if (status === 'QUEUED') return 'WAITING'
  if (status !== 'MAILED') return status
  if (failedAt !== null) return 'FAILED'
  return mailId !== null && sentAt === null ? 'WAITING' : 'SENT'
}

function showQuietHours({ from, to, timezone }: QuietHours) {
  const show = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  return { from: show(from), to: show(to), timezone }
}
