import { operationFromDocument } from '@apollo/federation-internals'
import type { FetchNode } from '@apollo/query-planner'
import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql'
import { createBoundedCache } from '../../subgraphs/shared/bounded-cache.ts'
import {
  type ConditionReader,
  type Conditions,
  createConditionReader,
} from '../../subgraphs/shared/graphql/compiled/operation-conditions.ts'
import type { Supergraph } from '../supergraph.ts'
import { compilePlan } from './compile-plan.ts'
import { type AbsorbResult, compileAbsorb, type PlanTarget } from './fetch-step.ts'
import { compileIntrospection, type Introspect } from './introspection.ts'
import type { PlanStep } from './plan-execution.ts'
import { compileShape, type ShapeResponse } from './response-shaper.ts'

/** An operation, planned and compiled. */
export interface OperationPlan {
  readonly operation: OperationDefinitionNode
  readonly conditions: ConditionReader
  /** Fetches everything; for a subscription, what follows from an event. Undefined when nothing has to be fetched. */
  readonly step: PlanStep | undefined
  /** A subscription's first fetch, which its subgraph answers once per event. */
  readonly primary?: { readonly fetch: FetchNode; readonly absorb: AbsorbResult }
  readonly introspect: Introspect | undefined
  /** The shape of the answer under these conditions; compiled when first asked for. */
  shapeFor(conditions: Conditions): ShapeResponse
}

/** More combinations of @skip and @include are compiled anew each time. */
const MAX_SHAPES_PER_OPERATION = 4

/** Plans and compiles an operation of a validated document. */
export function planOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  supergraph: Supergraph,
  target: PlanTarget,
): OperationPlan {
  const { apiSchema, federationApiSchema, planner } = supergraph
  const { node } = planner.buildQueryPlan(
    operationFromDocument(federationApiSchema, document, { operationName: operation.name?.value }),
  )
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const root = apiSchema.getRootType(operation.operation)
  if (root === null || root === undefined)
    throw new TypeError(`Expected a schema with a ${operation.operation} type, got none.`)
  const conditions = createConditionReader(document, operation)
  const shapes = createBoundedCache<string, ShapeResponse>(MAX_SHAPES_PER_OPERATION)
  const fetches = node?.kind === 'Subscription' ? node.rest : node

  return {
    operation,
    conditions,
    step: fetches && compilePlan(fetches, [], target),
    ...(node?.kind === 'Subscription' && {
      primary: { fetch: node.primary, absorb: compileAbsorb(node.primary, [], target) },
    }),
    introspect: compileIntrospection(apiSchema, operation, fragments),
    shapeFor(values) {
      const key = conditions.keyOf(values)
      const known = shapes.get(key)
      if (known !== undefined) return known
      const shape = compileShape(
        { selectionSet: operation.selectionSet, on: root },
        { schema: apiSchema, fragments, conditions: values },
      )
      shapes.set(key, shape)
      return shape
    },
  }
}
