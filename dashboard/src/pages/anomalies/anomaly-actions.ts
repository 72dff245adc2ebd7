import { type ReadonlySignal, signal } from '@preact/signals'
import { asRequestError } from '../../graphql/request-error.ts'
import type { AnomalyStatus } from '../../graphql/schema-types.generated.ts'
import { request, viewer } from '../../graphql/session.ts'
import { formatRelative } from '../../i18n/format.ts'
import { userErrorText } from '../../ui/form-errors.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  AcknowledgeDocument,
  type AnomalyProblemFragment,
  type ConflictFragment,
  ReopenDocument,
  ResolveDocument,
} from './anomalies.generated.ts'
import type { AnomalyRow } from './anomaly-store.ts'
import { messages } from './messages.ts'

/** What people do with anomalies, and how far that is. */
export interface AnomalyActions {
  /** What an anomaly is about to become: said at once, and never shown as done. */
  readonly pending: ReadonlySignal<ReadonlyMap<string, AnomalyStatus>>
  /** Who was first, by the anomaly, since the last thing that was done. */
  readonly notes: ReadonlySignal<ReadonlyMap<string, string>>
  /** The conflicts of the last acknowledgement of many, while they are looked at. */
  readonly shownConflicts: ReadonlySignal<readonly ConflictFragment[]>
  hideConflicts(): void
  acknowledge(rows: readonly AnomalyRow[]): Promise<void>
  /** Answers whether it is resolved now. */
  resolve(row: AnomalyRow, comment: string): Promise<boolean>
  reopen(row: AnomalyRow): Promise<void>
}

/** Clocks of two machines are not nearer to each other than that. */
const JUST_NOW_MS = 5_000

/** `take` is given each new state; `open` shows an anomaly. */
export function createAnomalyActions(handlers: {
  take(row: AnomalyRow): void
  open(id: string): void
}): AnomalyActions {
  const pending = signal<ReadonlyMap<string, AnomalyStatus>>(new Map())
  const notes = signal<ReadonlyMap<string, string>>(new Map())
  const shownConflicts = signal<readonly ConflictFragment[]>([])

  async function run<T>(
    ids: readonly string[],
    status: AnomalyStatus,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    pending.value = new Map([...pending.peek(), ...ids.map(id => [id, status] as const)])
    notes.value = new Map()
    try {
      return await work()
    } catch (error) {
      showToast('error', `${messages.failed} ${asRequestError(error).text}`)
      return undefined
    } finally {
      const left = new Map(pending.peek())
      for (const id of ids) left.delete(id)
      pending.value = left
    }
  }

  function takeConflicts(conflicts: readonly ConflictFragment[]): void {
    for (const { anomaly } of conflicts) handlers.take(anomaly)
    notes.value = new Map(conflicts.map(conflict => [conflict.anomalyId, conflictText(conflict)]))
  }

  function tell(
    conflict: ConflictFragment | null,
    problems: readonly AnomalyProblemFragment[],
    anomalyId: string,
  ): void {
    if (conflict === null) {
      const [problem] = problems
      if (problem !== undefined) showToast('error', userErrorText(problem))
      return
    }
    takeConflicts([conflict])
    const { id } = conflict.anomaly
    if (id === anomalyId) showToast('info', conflictText(conflict))
    else
      showToast('info', messages.newerIsOpen, {
        label: messages.showNewer,
        onPress: () => handlers.open(id),
      })
  }

  return {
    ...{ pending, notes, shownConflicts },
    hideConflicts() {
      shownConflicts.value = []
    },
    async acknowledge(rows) {
      const ids = rows
        .filter(({ id, status }) => status === 'OPEN' && !pending.peek().has(id))
        .map(({ id }) => id)
      if (ids.length === 0) {
        const [row] = rows
        if (row !== undefined && !pending.peek().has(row.id)) showToast('info', statusNote(row))
        return
      }
      const answer = await run(ids, 'ACKNOWLEDGED', async () => {
        const { data } = await request(AcknowledgeDocument, { input: { anomalyIds: ids } })
        for (const row of data.acknowledgeAnomalies.anomalies) handlers.take(row)
        return data.acknowledgeAnomalies
      })
      if (answer === undefined) return
      const { anomalies, conflicts, userErrors } = answer
      if (ids.length === 1) {
        if (anomalies.length === 0) tell(conflicts[0] ?? null, userErrors, ids[0] ?? '')
        return
      }
      takeConflicts(conflicts)
      const others = userErrors.filter(({ code }) => code !== 'CONFLICT')
      if (others[0] !== undefined) showToast('error', userErrorText(others[0]))
      if (conflicts.length === 0) showToast('success', messages.acknowledgedMany(anomalies.length))
      else
        showToast('info', messages.someWereFirst(anomalies.length, conflicts.length), {
          label: messages.showThem,
          onPress: () => {
            shownConflicts.value = conflicts
          },
        })
    },
    async resolve({ id }, comment) {
      const text = comment.trim()
      const input = { anomalyId: id, ...(text === '' ? {} : { comment: text }) }
      const answer = await run([id], 'RESOLVED', async () => {
        const { data } = await request(ResolveDocument, { input })
        if (data.resolveAnomaly.anomaly !== null) handlers.take(data.resolveAnomaly.anomaly)
        return data.resolveAnomaly
      })
      if (answer === undefined) return false
      if (answer.anomaly === null) tell(answer.conflict, answer.userErrors, id)
      return answer.anomaly !== null
    },
    async reopen({ id }) {
      const answer = await run([id], 'OPEN', async () => {
        const { data } = await request(ReopenDocument, { input: { anomalyId: id } })
        if (data.reopenAnomaly.anomaly !== null) handlers.take(data.reopenAnomaly.anomaly)
        return data.reopenAnomaly
      })
      if (answer !== undefined && answer.anomaly === null) tell(answer.conflict, answer.userErrors, id)
    },
  }
}

/** Says kindly who was first: "Kim acknowledged this 3 seconds ago". */
export function conflictText({ status, by, at }: ConflictFragment): string {
  const subject = by === null ? messages.theDeviceSubject : subjectOf(by)
  return messages[`wasFirst${status}`](subject, agoText(at))
}

/** A person as the one who looks calls them. */
export function nameOf(person: { id: string; name: string } | null): string {
  if (person === null) return messages.somebody
  return person.id === viewer.value?.id ? messages.you : person.name
}

/** A person as the subject of a sentence. */
export function subjectOf(person: { id: string; name: string } | null): string {
  if (person === null) return messages.somebodySubject
  return person.id === viewer.value?.id ? messages.youSubject : messages.subject(person.name)
}

function statusNote(row: AnomalyRow): string {
  const at = row.status === 'RESOLVED' ? row.resolvedAt : row.acknowledgedAt
  if (row.status === 'OPEN' || at === null) return messages.nothingOpen
  const isByDevice = row.status === 'RESOLVED' && row.resolvedBy === null
  const who = row.status === 'RESOLVED' ? row.resolvedBy : row.acknowledgedBy
  const subject = isByDevice ? messages.theDeviceSubject : subjectOf(who)
  return messages[`wasFirst${row.status}`](subject, agoText(at))
}

function agoText(at: string): string {
  const now = Date.now()
  return now - Date.parse(at) < JUST_NOW_MS ? messages.justNow : messages.at(formatRelative(at, now))
}
