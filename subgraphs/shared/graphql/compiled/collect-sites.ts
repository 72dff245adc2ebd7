import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql'
import type { FieldSite } from './field-site.ts'
import { type Conditions, isIncluded } from './operation-conditions.ts'

/** What the fields of an operation are found in. */
export interface SiteSource {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly conditions: Conditions
}

/** Collects the fields of an object of this type, as the specification says (6.3.2, CollectFields). */
export function collectSites(
  selectionSets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  { schema, fragments, conditions }: SiteSource,
): FieldSite[] {
  const found = new Map<string, { definition: GraphQLField<unknown, unknown>; nodes: FieldNode[] }>()
  const spread = new Set<string>()

  function isMeant(condition: NamedTypeNode | undefined): boolean {
    if (condition === undefined) return true
    const meant = schema.getType(condition.name.value)
    return meant === type || (isAbstractType(meant) && schema.isSubType(meant, type))
  }

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (!isIncluded(selection, conditions)) continue
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        const known = found.get(key)
        if (known !== undefined) known.nodes.push(selection)
        else found.set(key, { definition: findField(type, selection.name.value), nodes: [selection] })
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (isMeant(selection.typeCondition)) collect(selection.selectionSet)
      } else {
        const { value: name } = selection.name
        const fragment = fragments[name]
        if (spread.has(name)) continue
        spread.add(name)
        if (fragment !== undefined && isMeant(fragment.typeCondition)) collect(fragment.selectionSet)
      }
    }
  }

  for (const selectionSet of selectionSets) collect(selectionSet)
  return Array.from(found, ([key, { definition, nodes }]) => ({
    key,
    definition,
    parentType: type,
    nodes: nodes as [FieldNode, ...FieldNode[]],
  }))
}

function findField(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  if (name === '__typename') return TypeNameMetaFieldDef
  const definition = type.getFields()[name]
  if (definition === undefined) throw new TypeError(`Expected a field of ${type.name}, got ${name}.`)
  return definition
}
