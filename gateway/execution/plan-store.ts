import { type DocumentNode, GraphQLError, getOperationAST, getVariableValues } from 'graphql'
import type { Supergraph } from '../supergraph.ts'
import type { PlanTarget } from './fetch-step.ts'
import { type OperationPlan, planOperation } from './operation-plan.ts'

/** Keeps plans beside the documents they are of: a document that is let go takes its plans along. */
export interface PlanStore {
  /** Plans an operation when it is first asked for; undefined when the document has none of this name. */
  get(document: DocumentNode, operationName: string | undefined): OperationPlan | undefined
  /** Says what is wrong with the variables (BAD_USER_INPUT), without looking at all of them once that is clear. */
  checkVariables(
    plan: OperationPlan,
    variables: Readonly<Record<string, unknown>>,
  ): readonly GraphQLError[] | undefined
}

/** A client with this many wrong variables has seen enough. */
const MAX_VARIABLE_ERRORS = 10

/** Creates a store; documents must have been validated. */
export function createPlanStore(supergraph: Supergraph, sources: PlanTarget['sources']): PlanStore {
  const target: PlanTarget = { supergraphSchema: supergraph.supergraphSchema, sources }
  const plans = new WeakMap<DocumentNode, Map<string, OperationPlan>>()
  return {
    get(document, operationName) {
      const name = operationName ?? ''
      let ofDocument = plans.get(document)
      const known = ofDocument?.get(name)
      if (known !== undefined) return known
      const operation = getOperationAST(document, operationName)
      if (!operation) return undefined
      const plan = planOperation(document, operation, supergraph, target)
      if (ofDocument === undefined) {
        ofDocument = new Map()
        plans.set(document, ofDocument)
      }
      ofDocument.set(name, plan)
      return plan
    },
    checkVariables({ operation }, variables) {
      const { variableDefinitions = [] } = operation
      if (variableDefinitions.length === 0) return undefined
      const { errors } = getVariableValues(supergraph.apiSchema, variableDefinitions, variables, {
        maxErrors: MAX_VARIABLE_ERRORS,
      })
      return errors?.map(asVariableError)
    },
  }
}

function asVariableError(error: GraphQLError): GraphQLError {
  const { nodes, extensions, originalError } = error
  return new GraphQLError(error.message, {
    nodes,
    originalError,
    extensions: { code: 'BAD_USER_INPUT', ...extensions },
  })
}
