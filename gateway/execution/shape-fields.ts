import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { type Conditions, isIncluded } from '../../subgraphs/shared/graphql/compiled/operation-conditions.ts'

/** What the shapes of one operation are made of, under one combination of its conditions. */
export interface ShapeSource {
  /** What clients see. */
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly conditions: Conditions
}

/** A selection set and the type on which it stands in the document. */
export interface ScopedSelection {
  readonly selectionSet: SelectionSetNode
  readonly on: GraphQLCompositeType
}

/** A key of an answer's object. */
export type ShapeField =
  | { readonly kind: 'typename'; readonly on: GraphQLCompositeType }
  | { readonly kind: 'introspection' }
  | {
      readonly kind: 'value'
      readonly on: GraphQLCompositeType
      readonly definition: GraphQLField<unknown, unknown>
      /** Of every time it is selected here. */
      readonly inner: ScopedSelection[]
    }

/**
 * Collects the keys of an object in the order of the specification (CollectFields), the selections of a key that stands
 * there more than once put together. The type that counts for a key's nullability is that of its first selection.
 *
 * `typename` is the object's own type when its answer says it; a type condition is then asked of it, else of the type on
 * which the condition stands.
 */
export function collectShapeFields(
  scopes: readonly ScopedSelection[],
  typename: GraphQLCompositeType | undefined,
  { schema, fragments, conditions }: ShapeSource,
): Map<string, ShapeField> {
  const fields = new Map<string, ShapeField>()
  const spread = new Set<string>()

  function collect({ selectionSet, on }: ScopedSelection): void {
    for (const selection of selectionSet.selections) {
      if (!isIncluded(selection, conditions)) continue
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        add(key, selection.name.value, selection.selectionSet, on)
        continue
      }
      let fragment: Pick<FragmentDefinitionNode, 'selectionSet'> & {
        readonly typeCondition?: FragmentDefinitionNode['typeCondition']
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) fragment = selection
      else {
        const { value: name } = selection.name
        const definition = fragments.get(name)
        if (spread.has(name) || definition === undefined) continue
        spread.add(name)
        fragment = definition
      }
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value)
      if (condition === undefined) collect({ selectionSet: fragment.selectionSet, on })
      else if (isCompositeType(condition) && isSubtype(schema, condition, typename ?? on))
        collect({ selectionSet: fragment.selectionSet, on: condition })
    }
  }

  function add(
    key: string,
    name: string,
    selectionSet: SelectionSetNode | undefined,
    on: GraphQLCompositeType,
  ): void {
    const known = fields.get(key)
    if (name === '__typename') {
      if (known === undefined) fields.set(key, { kind: 'typename', on })
      return
    }
    if (name === '__schema' || name === '__type') {
      fields.set(key, { kind: 'introspection' })
      return
    }
    const definition = isObjectType(on) || isInterfaceType(on) ? on.getFields()[name] : undefined
    if (definition === undefined) throw new TypeError(`Expected a field of ${on.name}, got ${name}.`)
    const inner: ScopedSelection[] = known?.kind === 'value' ? known.inner : []
    if (known === undefined) fields.set(key, { kind: 'value', on, definition, inner })
    const type = getNamedType(definition.type)
    if (selectionSet !== undefined && isCompositeType(type)) inner.push({ selectionSet, on: type })
  }

  for (const scope of scopes) collect(scope)
  return fields
}

function isSubtype(schema: GraphQLSchema, type: GraphQLCompositeType, other: GraphQLCompositeType): boolean {
  if (type === other) return true
  return (
    isAbstractType(type) && (isObjectType(other) || isInterfaceType(other)) && schema.isSubType(type, other)
  )
}
