import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'

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
    const payload = data[field.responseName]
    if (typeof payload !== 'object' || payload === null) continue
    for (const { responseName } of fieldsNamed('accessToken', field.selectionSet, document)) {
      const token = (payload as Record<string, unknown>)[responseName]
      if (typeof token === 'string') return token
    }
  }
  return undefined
}

interface FoundField {
  readonly responseName: string
  readonly selectionSet: SelectionSetNode | undefined
}

/** The document is valid, so its fragments have no cycles. */
function fieldsNamed(
  name: string,
  selectionSet: SelectionSetNode | undefined,
  document: DocumentNode,
): FoundField[] {
  return (selectionSet?.selections ?? []).flatMap(selection => {
    if (selection.kind === Kind.FIELD) {
      if (selection.name.value !== name) return []
      return [{ responseName: selection.alias?.value ?? name, selectionSet: selection.selectionSet }]
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsNamed(name, selection.selectionSet, document)
    const fragment = document.definitions.find(
      definition =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? fieldsNamed(name, fragment.selectionSet, document)
      : []
  })
}
