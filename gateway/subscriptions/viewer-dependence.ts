import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** Name of the directive that marks fields whose answer depends on who asks, not only on their role in the space. */
const DIRECTIVE = 'viewerDependent'

/** Lists the fields that the supergraph marks `@viewerDependent`, as `Type.field`. */
export function readViewerDependentFields(supergraphSdl: string): ReadonlySet<string> {
  const marked = new Set<string>()
  for (const definition of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      continue
    for (const field of definition.fields ?? [])
      if (field.directives?.some(({ name }) => name.value === DIRECTIVE))
        marked.add(`${definition.name.value}.${field.name.value}`)
  }
  return marked
}

/**
 * Whether an operation of a valid document selects one of these fields. A mark on a field of an interface goes for all
 * that implement it, and that on a field of an object also for who selects it through an interface.
 */
export function dependsOnViewer(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  marked: ReadonlySet<string>,
): boolean {
  if (marked.size === 0) return false
  const typeInfo = new TypeInfo(schema)
  let depends = false
  const visitor = visitWithTypeInfo(typeInfo, {
    OperationDefinition: node => (node === operation ? undefined : false),
    Field({ name: { value: name } }) {
      const parent = typeInfo.getParentType()
      if (!parent) return
      depends ||= listRelatives(schema, parent).some(type => marked.has(`${type}.${name}`))
    },
  })
  visit(document, visitor)
  return depends
}

/** Names of the types whose fields may be meant by those of a type: its own, those it may be, and their interfaces. */
function listRelatives(schema: GraphQLSchema, type: GraphQLCompositeType): string[] {
  const objects = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
  const interfaces = [...objects, ...(isUnionType(type) ? [] : [type])].flatMap(one => one.getInterfaces())
  return [type, ...objects, ...interfaces].map(({ name }) => name)
}
