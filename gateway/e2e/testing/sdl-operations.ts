import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'

/** Where an operation takes a value: an argument, or a field of an input. */
export interface Place {
  /** From the argument on, dotted. */
  readonly path: string
  /** Name of the argument or input field. */
  readonly name: string
  /** Name of the type, without list and null. */
  readonly typeName: string
  readonly isList: boolean
  readonly isRequired: boolean
}

/** Says what stands in a place; undefined leaves it out. For a list it is the list, or its only item. */
export type Choose = (place: Place) => unknown

/** An operation as a client sends it. */
export interface Operation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

/** Scalars that are for fewer callers than what stands beside them: only their own row of the table asks for them. */
const ASKED_ALONE = new Set(['openAnomalyCount'])

type Field = GraphQLField<unknown, unknown>

/** Lists `Type.field` of all root fields. */
export function listOperations(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return roots.flatMap(root => Object.keys(root?.getFields() ?? {}).map(name => `${root?.name}.${name}`))
}

/**
 * Lists `Type.field` of all object types that queries lead to, without those that pages are made of: every field that
 * something is read by.
 */
export function listTypeFields(schema: GraphQLSchema): string[] {
  const seen = new Set<GraphQLNamedOutputType>()
  function visit(type: GraphQLNamedOutputType): void {
    if (seen.has(type)) return
    seen.add(type)
    if (isAbstractType(type)) for (const one of schema.getPossibleTypes(type)) visit(one)
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) visit(getNamedType(field.type))
  }
  const query = schema.getQueryType()
  if (query != null) visit(query)
  return [...seen].flatMap(type => {
    if (!isObjectType(type) || /^Query$|^PageInfo$|(Connection|Edge)$/.test(type.name)) return []
    return Object.keys(type.getFields()).map(name => `${type.name}.${name}`)
  })
}

/** Finds a field by `Type.field`. Throws when the SDL has none. */
export function getField(schema: GraphQLSchema, name: string): Field {
  const [typeName = '', fieldName = ''] = name.split('.')
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (field === undefined) throw new TypeError(`The SDL has no ${name}.`)
  return field
}

/** Lists the places of a field's arguments, those in its inputs too. */
export function listPlaces(field: Field): Place[] {
  return field.args.flatMap(({ name, type }) => placesOf(type, name, name))
}

function placesOf(type: GraphQLInputType, name: string, path: string): Place[] {
  const named = getNamedType(type)
  const nested = isInputObjectType(named)
    ? Object.values(named.getFields()).flatMap(field =>
        placesOf(field.type, field.name, `${path}.${field.name}`),
      )
    : []
  return [toPlace(type, name, path), ...nested]
}

/** Writes the operation of a root field: all it must be given, and what is chosen; it asks for scalars alone. */
export function buildOperation(schema: GraphQLSchema, name: string, choose: Choose): Operation {
  const [kind = '', fieldName = ''] = name.split('.')
  const field = getField(schema, name)
  const values = field.args.flatMap(({ name, type }) => {
    const value = writeValue(type, name, name, choose)
    return value === undefined ? [] : [{ name, type: String(type), value }]
  })
  const defined = values.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const given = values.map(({ name }) => `${name}: $${name}`).join(', ')
  const call = `${fieldName}${given && `(${given})`} ${select(getNamedType(field.type))}`
  return {
    query: `${kind.toLowerCase()}${defined && ` (${defined})`} { ${call} }`,
    variables: Object.fromEntries(values.map(({ name, value }) => [name, value])),
  }
}

/** Writes the selection of a field, with scalars alone. What it must be given is a time: the last hour. */
export function selectField(schema: GraphQLSchema, name: string): string {
  const field = getField(schema, name)
  const given = field.args
    .filter(isRequiredArgument)
    .map(({ name }) => `${name}: ${JSON.stringify(new Date(Date.now() - (name === 'to' ? 0 : 3_600_000)))}`)
  return `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${select(getNamedType(field.type))}`
}

/** Selects scalars that need no arguments: of what a mutation answers with, of what a page holds, else of the type itself. */
function select(type: GraphQLNamedOutputType): string {
  if (!isObjectType(type)) return isLeafType(type) ? '' : '{ __typename }'
  const fields = type.getFields()
  const isOuter = 'userErrors' in fields || type.name.endsWith('Connection')
  if (!isOuter) return selectLeaves(type)
  const inner = Object.values(fields).filter(
    ({ name }) => !['edges', 'pageInfo', 'totalCount'].includes(name),
  )
  const selected = inner.map(({ name, type }) => {
    const named = getNamedType(type)
    return isLeafType(named) ? name : `${name} ${selectLeaves(named)}`
  })
  return `{ ${selected.join(' ')} }`
}

function selectLeaves(type: GraphQLNamedOutputType): string {
  if (!isObjectType(type)) return '{ __typename }'
  const fields = Object.values(type.getFields()).filter(
    ({ name, type, args }) =>
      isLeafType(getNamedType(type)) && !args.some(isRequiredArgument) && !ASKED_ALONE.has(name),
  )
  return `{ __typename ${fields.map(({ name }) => name).join(' ')} }`
}

function writeValue(type: GraphQLInputType, name: string, path: string, choose: Choose): unknown {
  const place = toPlace(type, name, path)
  const chosen = choose(place)
  const isList = (value: unknown) =>
    place.isList && value !== null && !Array.isArray(value) ? [value] : value
  if (chosen !== undefined) return isList(chosen)
  const named = getNamedType(type)
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields()).flatMap(field => {
      const value = writeValue(field.type, field.name, `${path}.${field.name}`, choose)
      return value === undefined ? [] : [[field.name, value]]
    })
    if (fields.length === 0 && !place.isRequired) return undefined
    return isList(Object.fromEntries(fields))
  }
  if (!place.isRequired) return undefined
  if (isEnumType(named)) return isList(named.getValues()[0]?.name)
  const scalars: Record<string, unknown> = {
    String: `some ${name}`,
    Int: 1,
    Float: 1,
    Boolean: true,
    DateTime: new Date().toISOString(),
    JSON: {},
  }
  if (!(named.name in scalars)) throw new TypeError(`Nobody says what stands at ${path}: ${type}.`)
  return isList(scalars[named.name])
}

function toPlace(type: GraphQLInputType, name: string, path: string): Place {
  const bare = isNonNullType(type) ? type.ofType : type
  return {
    path,
    name,
    typeName: getNamedType(type).name,
    isList: isListType(bare),
    isRequired: isNonNullType(type),
  }
}
