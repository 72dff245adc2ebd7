import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { createTextCache } from '../../subgraphs/shared/text-cache.ts'
import type { DocumentReader, ReadDocument } from '../execution/document-reader.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import type { CallerBudget } from './caller-budget.ts'
import { createLimitError, formatCount } from './limit-error.ts'
import type { LimitMetrics } from './limit-metrics.ts'
import { compileCost, type OperationCost, type Variables } from './operation-cost.ts'
import type { DocumentReference, PersistedDocuments } from './persisted-documents.ts'
import { checkVariableSize } from './variable-size.ts'

/** A document that may be validated, with its text. */
export interface AdmittedDocument extends ReadDocument {
  readonly query: string
}

/** The one gate of HTTP requests, WebSocket operations and subscriptions. */
export interface Admission {
  /**
   * Takes a point of the caller, finds the document and reads it, which takes more unless it has been valid lately.
   * Undefined when the request names none.
   *
   * Throws RATE_LIMITED, what PersistedDocuments and DocumentReader throw, or BAD_USER_INPUT for a broken limit.
   */
  admit(
    reference: DocumentReference,
    operationName: string | undefined,
    variables: unknown,
    caller: string,
  ): AdmittedDocument | undefined
  /**
   * Reckons what a valid operation costs with its variables and takes the points for it. Throws BAD_USER_INPUT when it
   * is too much.
   */
  charge(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
    caller: string,
  ): number
}

/** Creates the gate. What an operation costs is compiled once, and kept as long as its document. */
export function createAdmission({
  schema,
  reader,
  persisted,
  budget,
  limits,
  metrics,
}: {
  /** What clients see. */
  schema: GraphQLSchema
  reader: DocumentReader
  persisted: PersistedDocuments
  budget: CallerBudget
  limits: GatewayLimits
  metrics: LimitMetrics
}): Admission {
  const costs = new WeakMap<OperationDefinitionNode, OperationCost>()
  /** Documents that have been found valid lately: what is made of them is kept. */
  const settled = createTextCache<DocumentNode>(limits.maxKeptDocuments)

  function getCost(document: DocumentNode, operation: OperationDefinitionNode): OperationCost {
    const known = costs.get(operation)
    if (known !== undefined) return known
    const compiled = compileCost(document, operation, schema, limits)
    costs.set(operation, compiled)
    return compiled
  }

  function counted<T>(work: () => T): T {
    try {
      return work()
    } catch (thrown) {
      metrics.countRefusal(thrown)
      throw thrown
    }
  }

  return {
    admit: (reference, operationName, variables, caller) =>
      counted(() => {
        budget.take(caller)
        checkVariableSize(variables, limits.maxVariableValues)
        const found = persisted.find(reference)
        if (found === undefined) return undefined
        if (settled.get(found.query) === undefined)
          budget.spend(caller, (found.query.length / limits.textPerPoint) * limits.costPerPoint)
        const read = reader.read(found.query, operationName)
        persisted.keep(found)
        return { ...read, query: found.query }
      }),
    charge: (document, operation, variables, caller) =>
      counted(() => {
        if (document.loc !== undefined) settled.set(document.loc.source.body, document)
        const cost = getCost(document, operation)(variables)
        metrics.observeCost(cost)
        if (cost > limits.maxCost) {
          const [found, max] = [formatCount(cost), formatCount(limits.maxCost)]
          throw createLimitError(
            'cost',
            limits.maxCost,
            `The operation costs more than allowed: ${found}, at most ${max}. Ask for fewer rows or fields.`,
          )
        }
        budget.spend(caller, cost)
        return cost
      }),
  }
}
