import type { DocumentNode, FieldNode } from 'graphql'
import { fieldsNamed, responseNameOf } from './fields-named.ts'

/**
 * Finds the token in the answer of a mutation's field, such as `signIn`, under whatever alias. Undefined when it did not
 * run, failed, or its field `name` (default `accessToken`) was not selected.
 */
export function findIssuedToken(
  document: DocumentNode,
  field: FieldNode,
  data: Readonly<Record<string, unknown>> | null | undefined,
  name = 'accessToken',
): string | undefined {
  const payload = data?.[responseNameOf(field)]
  if (typeof payload !== 'object' || payload === null) return undefined
  for (const selected of fieldsNamed(name, field.selectionSet, document)) {
    const token = (payload as Record<string, unknown>)[responseNameOf(selected)]
    if (typeof token === 'string') return token
  }
  return undefined
}
