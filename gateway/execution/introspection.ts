import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { ResultObject } from './result-object.ts'

/** Answers the `__schema` and `__type` fields at the root of an operation, by their keys. */
export type Introspect = (variables: Readonly<Record<string, unknown>>) => ResultObject

/** Compiles the introspection in an operation, whatever else it selects; undefined when there is none. */
export function compileIntrospection(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Introspect | undefined {
  if (operation.operation !== 'query') return undefined
  const selectionSet = keepIntrospection(operation.selectionSet, fragments, new Set())
  if (selectionSet.selections.length === 0) return undefined
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet }, ...fragments.values()],
  }
  return variableValues => {
    const { data } = execute({ schema, document, variableValues }) as ExecutionResult<ResultObject>
    return data ?? {}
  }
}

/** Fragments at the root are written out, since most of what they select stays out. */
function keepIntrospection(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  spread: ReadonlySet<string>,
): SelectionSetNode {
  const kept = selections.flatMap((selection): SelectionNode[] => {
    if (selection.kind === Kind.FIELD)
      return selection.name.value === '__schema' || selection.name.value === '__type' ? [selection] : []
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined
    if (name !== undefined && spread.has(name)) return []
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    if (fragment === undefined) return []
    const { typeCondition, selectionSet } = fragment
    const inner = keepIntrospection(
      selectionSet,
      fragments,
      name === undefined ? spread : new Set([...spread, name]),
    )
    if (inner.selections.length === 0) return []
    const { directives } = selection
    return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet: inner }]
  })
  return { kind: Kind.SELECTION_SET, selections: kept }
}
