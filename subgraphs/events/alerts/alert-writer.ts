import type { alert } from '../../../schema/mysql/alert-tables.ts'
import { enqueueMails, type Mail } from '../../shared/mail/mail-outbox.ts'
import { isDuplicateEntry } from '../../shared/mysql/duplicate-entry.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../../shared/mysql/short-transaction.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { toMailItem, toMailScope } from './alert-mail.ts'
import type { AlertMetrics } from './alert-metrics.ts'
import {
  type AlertRow,
  countAbsences,
  countRecentAlerts,
  findAlertsOf,
  findDeviceNames,
  insertAlerts,
  statusOnTheWay,
} from './alert-repository.ts'
import { decideDeliveryTime } from './delivery-time.ts'
import type { Recipient, Recipients, SpaceRecipients } from './recipients.ts'
import { createSpaceBatches } from './space-batches.ts'

/** What a person is told of one by one within CALM_WINDOW_MS; more than that is told together. */
const MAX_SINGLE_ALERTS = 10
const CALM_WINDOW_MS = 10 * 60_000

/** Absences of one device that a person is told of one by one within an hour. */
const MAX_SINGLE_ABSENCES = 2
const FLAPPING_WINDOW_MS = 60 * 60_000

/** What an alert is about. */
export interface Subject {
  readonly id: string
  readonly kind: AlertRow['kind']
  readonly spaceId: string
  readonly deviceId: string
  readonly severity: AlertRow['severity']
  readonly type?: string
  readonly message?: string | null
  /** Who wants to be told of it. */
  readonly isWanted: (recipient: Recipient) => boolean
}

/** What decides what is to be done for an alert after it was written. */
export type WrittenAlert = Pick<
  AlertRow,
  'spaceId' | 'userId' | 'channel' | 'status' | 'dueAt' | 'deliveryId' | 'subjectId'
>

/** Writes what people are told of. */
export interface AlertWriter {
  /** Writes the alerts of a subject that are missing; answers all that there are of it. */
  write(subject: Subject): Promise<readonly WrittenAlert[]>
}

export interface AlertWriterOptions {
  db: Db
  recipients: Recipients
  makeUnsubscribeToken: (spaceId: string, userId: string) => string
  nudgeMailer?: () => void
  metrics: AlertMetrics
}

/** One who is to be told of a subject by a channel. */
interface Missing {
  readonly subject: Subject
  readonly recipient: Recipient
  readonly channel: AlertRow['channel']
}

/**
 * Creates the writer. It writes what comes of one space in turn, many at once: so nobody of it is told of more by itself
 * than may be, but for what as many other processes write at the same moment.
 */
export function createAlertWriter(options: AlertWriterOptions): AlertWriter {
  const { db, recipients, makeUnsubscribeToken, nudgeMailer, metrics } = options
  const writeInTurn = createSpaceBatches<Subject, readonly WrittenAlert[]>(writeAll)

  async function writeAll(
    spaceId: string,
    subjects: readonly Subject[],
  ): Promise<(readonly WrittenAlert[])[]> {
    // Asked for twice in one turn, as when it has become graver at once, it is told to those whom either concerns.
    const ids = [...new Set(subjects.map(({ id }) => id))]
    const space = await recipients.of(spaceId)
    let rows: readonly WrittenAlert[] = await findAlertsOf(db, ids)
    if (space !== null) {
      const names = await findDeviceNames(db, [...new Set(subjects.map(({ deviceId }) => deviceId))])
      const missing = findMissing(space, subjects, names, rows)
      if (missing.length > 0)
        try {
          rows = [...rows, ...(await writeMissing(spaceId, space, missing, names))]
        } catch (error) {
          if (!isDuplicateEntry(error)) throw error
          // Another process has told somebody meanwhile; what it has told is seen by now.
          rows = await findAlertsOf(db, ids)
          const left = findMissing(space, subjects, names, rows)
          if (left.length > 0) rows = [...rows, ...(await writeMissing(spaceId, space, left, names))]
        }
    }
    const bySubject = Map.groupBy(rows, ({ subjectId }) => subjectId)
    return subjects.map(({ id }) => bySubject.get(id) ?? [])
  }

  async function writeMissing(
    spaceId: string,
    space: SpaceRecipients,
    missing: readonly Missing[],
    names: ReadonlyMap<string, string>,
  ): Promise<WrittenAlert[]> {
    const now = Date.now()
    const userIds = [...new Set(missing.map(({ recipient }) => recipient.userId))]
    const absent = missing.flatMap(({ subject: { kind, deviceId } }) =>
      kind === 'OFFLINE' ? [deviceId] : [],
    )
    const recent = await countRecentAlerts(db, spaceId, userIds, new Date(now - CALM_WINDOW_MS))
    const absences =
      absent.length === 0
        ? new Map<string, number>()
        : await countAbsences(db, [...new Set(absent)], userIds, new Date(now - FLAPPING_WINDOW_MS))
    const mails: (Mail<'alert'> & { readonly id: string })[] = []
    const rows = missing.map(({ subject, recipient, channel }) => {
      const person = `${recipient.userId} ${channel}`
      const absence = `${subject.deviceId} ${person}`
      const time = decideDeliveryTime(recipient.settings, {
        now,
        timezone: space.timezone,
        isStorm: (recent.get(person) ?? 0) >= MAX_SINGLE_ALERTS,
        isFlapping: subject.kind === 'OFFLINE' && (absences.get(absence) ?? 0) >= MAX_SINGLE_ABSENCES,
      })
      const isAtOnce = time.heldFor === null
      if (isAtOnce) countUp(recent, person)
      if (subject.kind === 'OFFLINE') countUp(absences, absence)
      const deliveryId = isAtOnce ? newId() : null
      if (deliveryId !== null && channel === 'EMAIL')
        mails.push({
          ...{ id: deliveryId, to: recipient.email, template: 'alert', locale: recipient.locale },
          params: {
            ...toMailItem({ ...subject, subjectId: subject.id, deviceName: names.get(subject.deviceId) }),
            ...toMailScope(space, makeUnsubscribeToken(spaceId, recipient.userId)),
          },
        })
      return {
        id: newId(),
        spaceId,
        userId: recipient.userId,
        channel,
        kind: subject.kind,
        subjectId: subject.id,
        deviceId: subject.deviceId,
        severity: subject.severity,
        status: isAtOnce ? statusOnTheWay(channel) : ('HELD' as const),
        heldFor: time.heldFor,
        dueAt: new Date(isAtOnce ? now : time.dueAt),
        deliveryId,
        createdAt: new Date(now),
        doneAt: null,
        attempts: 0,
        lastError: null,
      } satisfies typeof alert.$inferInsert
    })
    await runShortTransaction(db, async tx => {
      await insertAlerts(tx, rows)
      await enqueueMails(tx, mails)
    })
    if (mails.length > 0) nudgeMailer?.()
    for (const { channel, heldFor } of rows) metrics.alerts.inc({ channel, held_for: heldFor ?? 'nothing' })
    return rows
  }

  return { write: subject => writeInTurn(subject.spaceId, subject) }
}

/** Who wants to be told of something and has not been, each once. A device that is gone is told of to nobody. */
function findMissing(
  { recipients }: SpaceRecipients,
  subjects: readonly Subject[],
  names: ReadonlyMap<string, string>,
  told: readonly WrittenAlert[],
): Missing[] {
  const known = new Set(told.map(({ subjectId, userId, channel }) => `${subjectId} ${userId} ${channel}`))
  const missing: Missing[] = []
  for (const subject of subjects) {
    if (!names.has(subject.deviceId)) continue
    for (const recipient of recipients) {
      if (recipient.channels.length === 0 || !subject.isWanted(recipient)) continue
      for (const channel of recipient.channels) {
        const key = `${subject.id} ${recipient.userId} ${channel}`
        if (!known.has(key)) missing.push({ subject, recipient, channel })
        known.add(key)
      }
    }
  }
  return missing
}

function countUp(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
