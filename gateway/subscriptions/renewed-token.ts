import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { fieldsNamed } from '../execution/fields-named.ts'
import { findIssuedToken } from '../execution/issued-tokens.ts'

/**
 * Finds the access token in the answer of a mutation that ran `refreshSession`, under whatever alias. Undefined when it
 * did not run, failed, or its `accessToken` was not selected.
 */
export function findRenewedToken(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  data: Record<string, unknown> | null | undefined,
): string | undefined {
  if (operation.operation !== 'mutation' || !data) return undefined
  for (const field of fieldsNamed('refreshSession', operation.selectionSet, document)) {
    const token = findIssuedToken(document, field, data)
    if (token !== undefined) return token
  }
  return undefined
}
