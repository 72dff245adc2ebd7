import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode } from 'graphql'

/** Lists the fields of a name in a selection set, fragments written out. The document must be valid: without cycles. */
export function fieldsNamed(
  name: string,
  selectionSet: SelectionSetNode | undefined,
  document: DocumentNode,
): FieldNode[] {
  return (selectionSet?.selections ?? []).flatMap(selection => {
    if (selection.kind === Kind.FIELD) return selection.name.value === name ? [selection] : []
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

/** Name that a field has in the answer. */
export function responseNameOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}
