import { type ExecutionResult, GraphQLError } from 'graphql'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { OperationPlan } from './operation-plan.ts'
import type { PlanExecution } from './plan-execution.ts'
import type { ResultObject } from './result-object.ts'

/** The answer to an operation, errors as GraphQLErrors that were not formatted yet. */
export type PlanResult = ExecutionResult<ResultObject>

/**
 * Runs a plan once and shapes the answer; for a subscription `event` is what its subgraph answered to the first fetch.
 * Variables must have been checked.
 *
 * Never rejects: a failed fetch is an error of the answer, and so is anything else, then without data.
 */
export async function runPlan(
  plan: OperationPlan,
  variables: Readonly<Record<string, unknown>>,
  context: GatewayContext,
  logger: Logger,
  event?: SubgraphResult,
): Promise<PlanResult> {
  try {
    const conditions = plan.conditions.read(variables)
    const execution: PlanExecution = { data: {}, variables, conditions, context, errors: [] }
    if (event !== undefined) plan.primary?.absorb(execution, event)
    await plan.step?.(execution)
    const violations: string[] = []
    const introspected = plan.introspect?.(variables)
    const data = plan.shapeFor(conditions)(execution.data, { introspected, violations })
    if (execution.errors.length > 0) return { data, errors: execution.errors }
    if (violations.length > 0)
      logger.warn({ requestId: context.requestId, violations }, 'gateway.value_completion')
    return { data }
  } catch (error) {
    return { errors: [asGraphqlError(error)] }
  }
}

function asGraphqlError(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  const error = thrown instanceof Error ? thrown : new TypeError(`Expected an Error, got ${String(thrown)}.`)
  return new GraphQLError(error.message, { originalError: error })
}
