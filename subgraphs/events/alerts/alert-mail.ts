import type { AlertMailItem, AlertMailScope } from '../../shared/mail/mail-outbox.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import type { HeldAlert } from './alert-repository.ts'
import type { SpaceRecipients } from './recipients.ts'

/** What mails and webhooks say of an alert. */
export function toMailItem({
  kind,
  subjectId,
  deviceName,
  severity,
  type,
  message,
}: Pick<HeldAlert, 'kind' | 'subjectId' | 'severity'> & {
  readonly deviceName?: string | null | undefined
  readonly type?: string | null
  readonly message?: string | null
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

/** What a mail says of where its alerts come from. */
export function toMailScope(
  { spaceName, timezone }: SpaceRecipients,
  unsubscribeToken: string,
): AlertMailScope {
  return { spaceName, timezone, unsubscribeToken }
}
