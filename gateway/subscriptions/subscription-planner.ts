import { GraphQLError, type GraphQLSchema, validate } from 'graphql'
import { createBoundedCache } from '../../subgraphs/shared/bounded-cache.ts'
import type { ReadDocument } from '../execution/document-reader.ts'
import type { OperationPlan } from '../execution/operation-plan.ts'
import type { PlanStore } from '../execution/plan-store.ts'

/** How a subscription is run: the plan of one event. */
export type SubscriptionPlan = OperationPlan & Required<Pick<OperationPlan, 'primary'>>

/** Plans subscriptions. */
export interface SubscriptionPlanner {
  /**
   * Validates and plans a subscription, once per distinct text and operation name, and checks its variables.
   *
   * Answers the GraphQLErrors that forbid to run it, if there are any: GRAPHQL_VALIDATION_FAILED, or BAD_USER_INPUT for
   * variables.
   */
  plan(
    query: string,
    operationName: string | undefined,
    read: ReadDocument,
    variables: Readonly<Record<string, unknown>>,
  ): SubscriptionPlan | readonly GraphQLError[]
}

/** Texts longer than this are not kept, so that the cache is bounded in bytes too. */
const MAX_KEPT_QUERY_LENGTH = 16_384

/** Creates a planner that remembers `maxPlans` plans. `hasSuggestions` leaves "did you mean" in the errors. */
export function createSubscriptionPlanner({
  schema,
  plans: store,
  maxPlans,
  hasSuggestions,
}: {
  /** What clients see. */
  schema: GraphQLSchema
  plans: PlanStore
  maxPlans: number
  hasSuggestions: boolean
}): SubscriptionPlanner {
  const plans = createBoundedCache<string, SubscriptionPlan>(maxPlans)

  function buildPlan(
    { document }: ReadDocument,
    operationName: string | undefined,
  ): SubscriptionPlan | readonly GraphQLError[] {
    const errors = validate(schema, document)
    if (errors.length > 0) return errors.map(error => asValidationError(error, hasSuggestions))
    const plan = store.get(document, operationName)
    if (plan?.primary === undefined) throw new TypeError('Expected the plan of a subscription, got another.')
    return { ...plan, primary: plan.primary }
  }

  return {
    plan(query, operationName, read, variables) {
      const key = `${operationName ?? ''}\n${query}`
      let plan = plans.get(key)
      if (plan === undefined) {
        const built = buildPlan(read, operationName)
        if (!('primary' in built)) return built
        plan = built
        if (query.length <= MAX_KEPT_QUERY_LENGTH) plans.set(key, plan)
      }
      const errors = store.checkVariables(plan, variables)
      return errors ?? plan
    },
  }
}

function asValidationError(error: GraphQLError, hasSuggestions: boolean): GraphQLError {
  const message = hasSuggestions ? error.message : error.message.replace(/ ?Did you mean(.+?)\?$/, '')
  return new GraphQLError(message, {
    nodes: error.nodes,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  })
}
