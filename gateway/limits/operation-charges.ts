import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { GatewayContext } from '../gateway-context.ts'
import type { Admission } from './admission.ts'
import type { Variables } from './operation-cost.ts'

/** Takes what a valid operation costs from its caller, and tells it. Throws what `Admission.charge` throws. */
export type ChargeOperation = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  context: GatewayContext,
) => number

/** Creates the charging of operations: once per context, however often it is asked for on the way to the answer. */
export function createOperationCharges(admission: Pick<Admission, 'charge'>): ChargeOperation {
  const charged = new WeakMap<object, () => number>()
  return (document, operation, variables, context) => {
    let tell = charged.get(context.identity)
    if (tell === undefined) {
      tell = charge(document, operation, variables, context)
      charged.set(context.identity, tell)
    }
    return tell()
  }

  function charge(...[document, operation, variables, context]: Parameters<ChargeOperation>): () => number {
    try {
      const cost = admission.charge(document, operation, variables, context.caller)
      return () => cost
    } catch (error) {
      return () => {
        throw error
      }
    }
  }
}
