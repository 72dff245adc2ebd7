import {
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
  type SelectionNode,
  validate,
} from 'graphql'
import { createTextCache } from '../../subgraphs/shared/text-cache.ts'
import type { ReadDocument } from '../execution/document-reader.ts'
import type { OperationPlan } from '../execution/operation-plan.ts'
import type { PlanStore } from '../execution/plan-store.ts'
import { dependsOnViewer } from './viewer-dependence.ts'

/** How a subscription is run: the plan of one event. */
export interface SubscriptionPlan extends OperationPlan {
  readonly primary: NonNullable<OperationPlan['primary']>
  /** Whether the answer depends on who asks, not only on their role in the space. */
  readonly isViewerDependent: boolean
  /** Value of the argument `spaceId` of the root field; undefined when it has none. Variables must have been checked. */
  spaceIdOf(variables: Readonly<Record<string, unknown>>): string | undefined
}

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

/** Argument of a subscription's root field that says which space it follows. */
const SPACE_ARGUMENT = 'spaceId'

/** Creates a planner that remembers `maxPlans` plans. `hasSuggestions` leaves "did you mean" in the errors. */
export function createSubscriptionPlanner({
  schema,
  viewerDependentFields,
  plans: store,
  maxPlans,
  hasSuggestions,
}: {
  /** What clients see. */
  schema: GraphQLSchema
  /** See readViewerDependentFields. */
  viewerDependentFields: ReadonlySet<string>
  plans: PlanStore
  maxPlans: number
  hasSuggestions: boolean
}): SubscriptionPlanner {
  const plans = createTextCache<SubscriptionPlan>(maxPlans)

  function buildPlan(
    { document }: ReadDocument,
    operationName: string | undefined,
  ): SubscriptionPlan | readonly GraphQLError[] {
    const errors = validate(schema, document)
    if (errors.length > 0) return errors.map(error => asValidationError(error, hasSuggestions))
    const plan = store.get(document, operationName)
    if (plan?.primary === undefined) throw new TypeError('Expected the plan of a subscription, got another.')
    const { primary, operation } = plan
    const root = findRootField(operation.selectionSet.selections, document)
    const definition = schema.getSubscriptionType()?.getFields()[root.name.value]
    const hasSpace = definition?.args.some(({ name }) => name === SPACE_ARGUMENT)
    return {
      ...plan,
      primary,
      isViewerDependent: dependsOnViewer(schema, document, operation, viewerDependentFields),
      spaceIdOf(variables) {
        if (definition === undefined || !hasSpace) return undefined
        const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
        const value = coerced && getArgumentValues(definition, root, coerced)[SPACE_ARGUMENT]
        return typeof value === 'string' ? value : undefined
      },
    }
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

/** A valid subscription has one field at its root. */
function findRootField(selections: readonly SelectionNode[], document: ReadDocument['document']): FieldNode {
  const found = selections.flatMap(selection => {
    if (selection.kind === Kind.FIELD) return [selection]
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return findRootField(selection.selectionSet.selections, document)
    return document.definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value
        ? findRootField(definition.selectionSet.selections, document)
        : [],
    )
  })
  if (found[0] === undefined) throw new TypeError('Expected a subscription with a field, got none.')
  return found[0]
}

function asValidationError(error: GraphQLError, hasSuggestions: boolean): GraphQLError {
  const message = hasSuggestions ? error.message : error.message.replace(/ ?Did you mean(.+?)\?$/, '')
  return new GraphQLError(message, {
    nodes: error.nodes,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  })
}
