import { requireUser } from '../shared/auth/viewer.ts'
import type { UserError } from '../shared/graphql/refusal.ts'
import { describeConflicts } from './anomaly-conflict.ts'
import { acknowledgeAnomalies, type StepResult } from './anomaly-steps.ts'
import type { SubgraphContext } from './context.ts'
import type { AnomalyConflictParent, AnomalyParent } from './model.ts'
import { findWorkableAnomalies } from './workable-anomalies.ts'

/** Anomalies that one call acknowledges at most. */
const MAX_ACKNOWLEDGED = 1_000

/** What a mutation answers that takes a step of one anomaly. */
interface StepAnswer {
  readonly anomaly: AnomalyParent | null
  readonly conflict: AnomalyConflictParent | null
  readonly userErrors: UserError[]
}

/** What a mutation answers that takes a step of many. */
interface ManyAnswer {
  readonly anomalies: AnomalyParent[]
  readonly conflicts: AnomalyConflictParent[]
  readonly userErrors: UserError[]
}

/**
 * Takes a step of an anomaly that the viewer may work on. `step` answers null when the anomaly is gone. Throws
 * UNAUTHENTICATED without a user, and FORBIDDEN when their role is too small.
 */
export async function answerStep(
  context: SubgraphContext,
  anomalyId: string,
  step: (userId: string, anomaly: AnomalyParent) => Promise<StepResult | null>,
): Promise<StepAnswer> {
  const { userId } = requireUser(context.viewer)
  const anomaly = (await findWorkableAnomalies(context, userId, [anomalyId])).get(anomalyId)
  const result = anomaly === undefined ? null : await step(userId, anomaly)
  context.renewAnomalies()
  if (result === null) return { anomaly: null, conflict: null, userErrors: [toMissing('anomalyId')] }
  if ('anomaly' in result) return { anomaly: result.anomaly, conflict: null, userErrors: [] }
  const { conflict } = result
  const [message = ''] = await describeConflicts(context.db, userId, [conflict])
  return { anomaly: null, conflict, userErrors: [{ code: 'CONFLICT', message, field: 'anomalyId' }] }
}

/** Acknowledges many anomalies; each that was not has a userError with its place in `anomalyIds`. Throws as answerStep does. */
export async function answerAcknowledged(
  context: SubgraphContext,
  anomalyIds: readonly string[],
): Promise<ManyAnswer> {
  const { userId } = requireUser(context.viewer)
  const ids = [...new Set(anomalyIds)]
  if (ids.length < 1 || ids.length > MAX_ACKNOWLEDGED) {
    const message = `anomalyIds names 1 to ${MAX_ACKNOWLEDGED} anomalies, not ${ids.length}.`
    const error = { code: 'BAD_USER_INPUT', message, field: 'anomalyIds' } as const
    return { anomalies: [], conflicts: [], userErrors: [error] }
  }
  return context.bulkTurns.run(() => acknowledgeIds(context, userId, anomalyIds, ids))
}

async function acknowledgeIds(
  context: SubgraphContext,
  userId: string,
  anomalyIds: readonly string[],
  ids: readonly string[],
): Promise<ManyAnswer> {
  const found = await findWorkableAnomalies(context, userId, ids)
  const results = await acknowledgeAnomalies(
    context,
    userId,
    ids.flatMap(id => found.get(id) ?? []),
  )
  context.renewAnomalies()
  const anomalies = results.flatMap(result => ('anomaly' in result ? [result.anomaly] : []))
  const conflicts = results.flatMap(result => ('conflict' in result ? [result.conflict] : []))
  const messages = await describeConflicts(context.db, userId, conflicts)
  const messageOf = new Map(conflicts.map(({ anomalyId }, i) => [anomalyId, messages[i] ?? '']))
  const placeOf = new Map(anomalyIds.map((id, i) => [id, i] as const).reverse())
  const userErrors = ids.flatMap((id): UserError[] => {
    const field = `anomalyIds.${placeOf.get(id)}`
    const message = messageOf.get(id)
    if (message !== undefined) return [{ code: 'CONFLICT', message, field }]
    return found.has(id) ? [] : [toMissing(field)]
  })
  return { anomalies, conflicts, userErrors }
}

function toMissing(field: string): UserError {
  return { code: 'NOT_FOUND', message: 'There is no such anomaly.', field }
}
