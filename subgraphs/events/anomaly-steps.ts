import type { AnomalyChange, AnomalyState } from '../../schema/live-event.ts'
import { isDuplicateEntry } from '../shared/mysql/duplicate-entry.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { runShortTransaction } from '../shared/mysql/short-transaction.ts'
import { newId, timeOfId } from '../shared/uuid-v7.ts'
import type { AnomalyChanges } from './anomaly-changes.ts'
import { conflictWith } from './anomaly-conflict.ts'
import { findUnresolvedAnomaly } from './anomaly-repository.ts'
import { lockAnomalies, setAcknowledged, setReopened, setResolved } from './anomaly-step-repository.ts'
import { findLastStep, insertComments } from './comment-repository.ts'
import type { AnomalyConflictParent, CommentParent } from './model.ts'

/** The anomaly as the step left it, or who was first. */
export type StepResult = { readonly anomaly: AnomalyState } | { readonly conflict: AnomalyConflictParent }

/** What steps are taken with. */
interface StepPorts {
  readonly db: Db
  readonly anomalyChanges: AnomalyChanges
}

type Step = NonNullable<CommentParent['step']> & AnomalyChange['change']

/** How often a reopening is tried while others open and resolve the same kind of anomaly. */
const MAX_REOPEN_ATTEMPTS = 3

/** What SYSTEM comments say. */
const BODIES = { ACKNOWLEDGED: 'Acknowledged.', RESOLVED: 'Resolved.', REOPENED: 'Reopened.' } as const

/**
 * Makes those of the anomalies the user's that are OPEN. Answers each of `anomalies`, which the user may work on, in
 * their order; those that are gone since they were read are conflicts with what they were.
 *
 * Rows are locked in the order of their ids, so any number of people may ask for the same ones at once: each anomaly is
 * acknowledged by one of them. What is not OPEN is not waited for.
 */
export async function acknowledgeAnomalies(
  { db, anomalyChanges }: StepPorts,
  userId: string,
  anomalies: readonly AnomalyState[],
): Promise<StepResult[]> {
  const open = anomalies.filter(({ status }) => status === 'OPEN').map(({ id }) => id)
  const now = new Date()
  const { locked, taken } = await (open.length === 0
    ? { locked: [], taken: [] }
    : runShortTransaction(db, async tx => {
        const locked = await lockAnomalies(tx, open.toSorted())
        const taken = locked
          .filter(({ status }) => status === 'OPEN')
          .map(
            (row): AnomalyState => ({
              ...row,
              status: 'ACKNOWLEDGED',
              acknowledgedAt: now.getTime(),
              acknowledgedBy: userId,
              version: row.version + 1,
            }),
          )
        if (taken.length > 0) {
          await setAcknowledged(tx, { ids: taken.map(({ id }) => id), userId, now })
          await insertComments(
            tx,
            taken.map(row => toStep('ACKNOWLEDGED', row, userId, now)),
          )
        }
        return { locked, taken }
      }))
  await anomalyChanges.publish(taken.map(anomaly => ({ change: 'ACKNOWLEDGED', anomaly })))
  const byId = new Map([...locked, ...taken].map(anomaly => [anomaly.id, anomaly]))
  const mine = new Set(taken)
  return anomalies.map(read => {
    const anomaly = byId.get(read.id) ?? read
    return mine.has(anomaly) ? { anomaly } : { conflict: conflictWith(anomaly.id, anomaly) }
  })
}

/**
 * Ends an anomaly that the user may work on, and keeps `comment` as theirs. It ends now, but not before its last
 * occurrence, which a device whose clock is ahead may have put into the future: what comes late still lies in its life.
 */
export async function resolveAnomaly(
  ports: StepPorts,
  userId: string,
  { id, comment }: { id: string; comment: string | undefined },
): Promise<StepResult | null> {
  return takeStep(ports, id, 'RESOLVED', async (tx, row, now) => {
    if (row.status === 'RESOLVED') return { conflict: conflictWith(id, row) }
    const resolvedAt = new Date(Math.max(now.getTime(), timeOfId(row.lastOccurrenceId)))
    await setResolved(tx, { id, userId, resolvedAt })
    const said: CommentParent[] =
      comment === undefined
        ? []
        : [{ ...toStep('RESOLVED', row, userId, now), kind: 'USER', step: null, body: comment }]
    await insertComments(tx, [...said, toStep('RESOLVED', row, userId, now)])
    return {
      anomaly: {
        ...row,
        status: 'RESOLVED',
        resolvedAt: resolvedAt.getTime(),
        resolvedBy: userId,
        version: row.version + 1,
      },
    }
  })
}

/** Opens a RESOLVED anomaly again, unless another of its device and type is not resolved. */
export async function reopenAnomaly(
  ports: StepPorts,
  userId: string,
  { id, deviceId, type }: AnomalyState,
): Promise<StepResult | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeStep(ports, id, 'REOPENED', async (tx, row, now) => {
        if (row.status !== 'RESOLVED') return { conflict: await conflictWithOpen(tx, id, row) }
        await setReopened(tx, id)
        await insertComments(tx, [toStep('REOPENED', row, userId, now)])
        const nobody = { acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null }
        return { anomaly: { ...row, ...nobody, status: 'OPEN', version: row.version + 1 } }
      })
    } catch (error) {
      if (!isDuplicateEntry(error)) throw error
      const other = await findUnresolvedAnomaly(ports.db, { deviceId, type })
      if (other !== undefined) return { conflict: await conflictWithOpen(ports.db, id, other) }
      // What was in the way is resolved by now.
      if (attempt === MAX_REOPEN_ATTEMPTS) throw error
    }
  }
}

/** Runs a step on one row; null when it is gone. Tells of it after the commit. */
async function takeStep(
  { db, anomalyChanges }: StepPorts,
  id: string,
  change: Step,
  act: (tx: Db, row: AnomalyState, now: Date) => Promise<StepResult>,
): Promise<StepResult | null> {
  const now = new Date()
  const result = await runShortTransaction(db, async tx => {
    const [row] = await lockAnomalies(tx, [id])
    return row === undefined ? null : act(tx, row, now)
  })
  if (result !== null && 'anomaly' in result)
    await anomalyChanges.publish([{ change, anomaly: result.anomaly }])
  return result
}

/** Who brought what is not resolved to where it stands: of what is OPEN whoever reopened it last, else its device. */
async function conflictWithOpen(
  db: Db,
  anomalyId: string,
  anomaly: AnomalyState,
): Promise<AnomalyConflictParent> {
  const conflict = conflictWith(anomalyId, anomaly)
  if (anomaly.status !== 'OPEN') return conflict
  const step = await findLastStep(db, anomaly.id, 'REOPENED')
  return step === undefined ? conflict : { ...conflict, userId: step.authorId, at: step.createdAt }
}

function toStep(
  step: keyof typeof BODIES,
  { id, spaceId }: AnomalyState,
  userId: string,
  now: Date,
): CommentParent {
  return {
    id: newId(),
    anomalyId: id,
    spaceId,
    kind: 'SYSTEM',
    step,
    authorId: userId,
    body: BODIES[step],
    createdAt: now,
    editedAt: null,
  }
}
