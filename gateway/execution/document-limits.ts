import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { DocumentLimits } from '../gateway-limits.ts'
import { createLimitError, formatCount } from '../limits/limit-error.ts'

/** Size of a selection set with its fragments written out. */
interface Size {
  depth: number
  fields: number
  aliases: number
  rootFields: number
  fragments: number
  /** Most directives at one place. */
  directives: number
  /** An alias that would pass for a field of introspection. */
  reservedAlias: string | undefined
  /** Aliases by the name of their field; undefined when there are none. */
  aliasesOf: Map<string, number> | undefined
}

/**
 * Measures the operations and fragments of a document, fragments written out, in time linear in its length: each
 * fragment is measured once, and one that contains itself counts once (validation refuses it). Introspection fields do
 * not count into the depth.
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
    // Stands while the fragment itself is measured, which ends cycles.
    measured.set(name, createSize())
    const size = measure(fragments.get(name)?.selectionSet)
    measured.set(name, size)
    return size
  }

  function measure(selectionSet: SelectionSetNode | undefined): Size {
    const total = createSize()
    for (const selection of selectionSet?.selections ?? []) {
      total.directives = Math.max(total.directives, selection.directives?.length ?? 0)
      if (selection.kind === Kind.FIELD) {
        const inner = measure(selection.selectionSet)
        const isIntrospection = selection.name.value.startsWith('__')
        add(total, inner, isIntrospection ? 0 : inner.depth + 1)
        total.fields += 1
        total.rootFields += 1
        if (selection.alias === undefined) continue
        total.aliases += 1
        if (isReserved(selection)) total.reservedAlias ??= selection.alias.value
        addAliases(total, selection.name.value, 1)
      } else {
        const inner = measureFragmentOf(selection)
        add(total, inner, inner.depth)
        total.rootFields += inner.rootFields
        total.fragments += 1
      }
    }
    return total
  }

  function measureFragmentOf(selection: Exclude<SelectionNode, { kind: Kind.FIELD }>): Size {
    return selection.kind === Kind.INLINE_FRAGMENT
      ? measure(selection.selectionSet)
      : measureFragment(selection.name.value)
  }

  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length
  if (operations > limits.maxOperations)
    return tooMuch('operations', 'longer', operations, limits.maxOperations, 'operations')
  for (const definition of document.definitions) {
    const isOperation = definition.kind === Kind.OPERATION_DEFINITION
    if (!isOperation && definition.kind !== Kind.FRAGMENT_DEFINITION) continue
    const size = isOperation
      ? measure(definition.selectionSet)
      : // Validation compares the fields of each fragment, used or not.
        measureFragment(definition.name.value)
    const directives = Math.max(size.directives, definition.directives?.length ?? 0)
    if (size.reservedAlias !== undefined) return reserved(size.reservedAlias)
    const broken = checkSize({ ...size, directives }, limits, isOperation)
    if (broken !== undefined) return broken
  }
  return undefined
}

function checkSize(size: Size, limits: DocumentLimits, isOperation: boolean): GraphQLError | undefined {
  const { depth, rootFields, aliases, aliasesOf, fields, fragments, directives } = size
  if (isOperation && depth > limits.maxDepth)
    return tooMuch('depth', 'nested deeper', depth, limits.maxDepth, 'levels')
  if (isOperation && rootFields > limits.maxRootFields)
    return tooMuch('rootFields', 'wider', rootFields, limits.maxRootFields, 'root fields')
  if (aliases > limits.maxAliases) return tooMuch('aliases', 'wider', aliases, limits.maxAliases, 'aliases')
  for (const [name, count] of aliasesOf ?? []) {
    if (count > limits.maxAliasesPerField)
      return tooMuch('aliasesPerField', 'wider', count, limits.maxAliasesPerField, `aliases of ${name}`)
  }
  if (fields > limits.maxFields) return tooMuch('fields', 'wider', fields, limits.maxFields, 'fields')
  if (fragments > limits.maxFragments)
    return tooMuch('fragments', 'wider', fragments, limits.maxFragments, 'fragments')
  if (directives > limits.maxDirectives)
    return tooMuch('directives', 'wider', directives, limits.maxDirectives, 'directives at one place')
  return undefined
}

/** Names with two underscores are introspection's (GraphQL §3, Reserved Names); `__typename` decides over types here. */
function isReserved({ alias, name }: FieldNode): boolean {
  return alias?.value.startsWith('__') === true && alias.value !== name.value
}

function reserved(alias: string): GraphQLError {
  return new GraphQLError(`Aliases that begin with "__" are reserved: "${alias}".`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })
}

function createSize(): Size {
  return {
    depth: 0,
    fields: 0,
    aliases: 0,
    rootFields: 0,
    fragments: 0,
    directives: 0,
    reservedAlias: undefined,
    aliasesOf: undefined,
  }
}

function add(total: Size, inner: Size, depth: number): void {
  total.depth = Math.max(total.depth, depth)
  total.fields += inner.fields
  total.aliases += inner.aliases
  total.reservedAlias ??= inner.reservedAlias
  total.fragments += inner.fragments
  total.directives = Math.max(total.directives, inner.directives)
  for (const [name, count] of inner.aliasesOf ?? []) addAliases(total, name, count)
}

function addAliases(total: Size, name: string, count: number): void {
  total.aliasesOf ??= new Map()
  total.aliasesOf.set(name, (total.aliasesOf.get(name) ?? 0) + count)
}

function tooMuch(limit: string, how: string, found: number, max: number, unit: string): GraphQLError {
  return createLimitError(
    limit,
    max,
    `The operation is ${how} than allowed: ${formatCount(found)} ${unit}, at most ${formatCount(max)}.`,
  )
}
