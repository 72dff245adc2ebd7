import type { DocumentNode, FieldNode } from 'graphql'
import { fieldsNamed, responseNameOf } from './fields-named.ts'

/**
 * Finds the access token in the answer of a mutation's field, such as `signIn`, under whatever alias. Undefined when it
 * did not run, failed, or its `accessToken` was not selected.
 */
export function findIssuedToken(
  document: DocumentNode,
  field: FieldNode,
  data: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const payload = data?.[responseNameOf(field)]
  if (typeof payload !== 'object' || payload === null) return undefined
  for (const selected of fieldsNamed('accessToken', field.selectionSet, document)) {
    const token = (payload as Record<string, unknown>)[responseNameOf(selected)]
    if (typeof token === 'string') return token
  }
  return undefined
}
