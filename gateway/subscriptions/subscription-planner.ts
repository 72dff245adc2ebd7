import { operationFromDocument } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import type { FetchNode, QueryPlan } from '@apollo/query-planner'
import { GraphQLError, getVariableValues, validate } from 'graphql'
import { createBoundedCache } from '../../subgraphs/shared/bounded-cache.ts'
import type { ReadDocument } from '../execution/document-reader.ts'
import type { Supergraph } from '../supergraph.ts'

/** How a subscription is run. */
export interface SubscriptionPlan {
  /** The fetch that its subgraph answers once per event. */
  readonly primary: FetchNode
  /** The plan of one event: the primary fetch and what follows from it. */
  readonly perEvent: QueryPlan
  readonly operationContext: ReturnType<typeof buildOperationContext>
}

/** Plans subscriptions. */
export interface SubscriptionPlanner {
  /**
   * Validates and plans a subscription, once per distinct text and operation name, and checks its variables.
   *
   * Throws the GraphQLErrors that forbid to run it, as an array: GRAPHQL_VALIDATION_FAILED, or BAD_USER_INPUT for
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

/** A client with this many wrong variables has seen enough. */
const MAX_VARIABLE_ERRORS = 10

/** Creates a planner that remembers `maxPlans` plans. `hasSuggestions` leaves "did you mean" in the errors. */
export function createSubscriptionPlanner({
  supergraph,
  maxPlans,
  hasSuggestions,
}: {
  supergraph: Supergraph
  maxPlans: number
  hasSuggestions: boolean
}): SubscriptionPlanner {
  const { apiSchema, federationApiSchema, planner } = supergraph
  const plans = createBoundedCache<string, SubscriptionPlan>(maxPlans)

  function buildPlan(
    { document }: ReadDocument,
    operationName: string | undefined,
  ): SubscriptionPlan | readonly GraphQLError[] {
    const errors = validate(apiSchema, document)
    if (errors.length > 0) return errors.map(error => asValidationError(error, hasSuggestions))
    const operation = operationFromDocument(federationApiSchema, document, { operationName })
    const { node } = planner.buildQueryPlan(operation)
    if (node?.kind !== 'Subscription')
      throw new TypeError(`Expected a plan of a Subscription, got ${node?.kind}.`)
    const { primary, rest } = node
    const nodes = rest === undefined ? [primary] : [primary, rest]
    return {
      primary,
      perEvent: { kind: 'QueryPlan', node: { kind: 'Sequence', nodes } },
      operationContext: buildOperationContext({
        schema: apiSchema,
        operationDocument: document,
        operationName,
      }),
    }
  }

  return {
    plan(query, operationName, read, variables) {
      const key = `${operationName ?? ''}\n${query}`
      let plan = plans.get(key)
      if (plan === undefined) {
        const built = buildPlan(read, operationName)
        if (!('perEvent' in built)) return built
        plan = built
        if (query.length <= MAX_KEPT_QUERY_LENGTH) plans.set(key, plan)
      }
      const { errors } = getVariableValues(apiSchema, read.operation.variableDefinitions ?? [], variables, {
        maxErrors: MAX_VARIABLE_ERRORS,
      })
      return errors === undefined ? plan : errors.map(asVariableError)
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

function asVariableError(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, { nodes: error.nodes, extensions: { code: 'BAD_USER_INPUT' } })
}
