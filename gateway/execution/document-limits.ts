import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { DocumentLimits } from '../gateway-limits.ts'

/** Size of a selection set with its fragments written out. */
interface Size {
  depth: number
  fields: number
  aliases: number
  rootFields: number
}

/**
 * Measures the operations of a document, fragments written out, in time linear in its length; a fragment that contains
 * itself counts once (validation refuses it). Introspection fields do not count into the depth.
 *
 * Returns the error that says which limit was broken, or undefined.
 */
export function checkDocumentLimits(
  document: DocumentNode,
  limits: DocumentLimits,
): GraphQLError | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const measured = new Map<string, Size>()

  function measureFragment(name: string): Size {
    const known = measured.get(name)
    if (known !== undefined) return known
    const fragment = fragments.get(name)
    // Stands while the fragment itself is measured, which ends cycles.
    measured.set(name, { depth: 0, fields: 0, aliases: 0, rootFields: 0 })
    const size = fragment === undefined ? measure(undefined) : measure(fragment.selectionSet)
    measured.set(name, size)
    return size
  }

  function measure(selectionSet: SelectionSetNode | undefined): Size {
    const total: Size = { depth: 0, fields: 0, aliases: 0, rootFields: 0 }
    for (const selection of selectionSet?.selections ?? []) {
      if (selection.kind !== Kind.FIELD) {
        const inner =
          selection.kind === Kind.INLINE_FRAGMENT
            ? measure(selection.selectionSet)
            : measureFragment(selection.name.value)
        add(total, inner, inner.depth)
        total.rootFields += inner.rootFields
        continue
      }
      const inner = measure(selection.selectionSet)
      const isIntrospection = selection.name.value.startsWith('__')
      add(total, inner, isIntrospection ? 0 : inner.depth + 1)
      total.fields += 1
      total.aliases += selection.alias === undefined ? 0 : 1
      total.rootFields += 1
    }
    return total
  }

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, fields, aliases, rootFields } = measure(definition.selectionSet)
    if (depth > limits.maxDepth) return tooMuch('depth', 'nested deeper', depth, limits.maxDepth, 'levels')
    if (rootFields > limits.maxRootFields)
      return tooMuch('rootFields', 'wider', rootFields, limits.maxRootFields, 'root fields')
    if (aliases > limits.maxAliases) return tooMuch('aliases', 'wider', aliases, limits.maxAliases, 'aliases')
    if (fields > limits.maxFields) return tooMuch('fields', 'wider', fields, limits.maxFields, 'fields')
  }
  return undefined
}

function add(total: Size, inner: Size, depth: number): void {
  total.depth = Math.max(total.depth, depth)
  total.fields += inner.fields
  total.aliases += inner.aliases
}

function tooMuch(limit: string, how: string, found: number, max: number, unit: string): GraphQLError {
  return new GraphQLError(`The operation is ${how} than allowed: ${found} ${unit}, at most ${max}.`, {
    extensions: { code: 'BAD_USER_INPUT', limit, max },
  })
}
