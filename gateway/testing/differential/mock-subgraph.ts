import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  parse,
} from 'graphql'
import type { SubgraphSdl } from '../../../schema/graphql/compose.ts'
import { AppError } from '../../../subgraphs/shared/errors.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'

/** An object of the mock: the n-th of its type. What a gateway sent along as required fields is in `given`. */
interface MockObject {
  readonly __typename: string
  readonly n: number
  readonly given?: Readonly<Record<string, unknown>>
  readonly isRoot?: boolean
}

/** Entities are numbered from 0 to this, so that lists repeat them. */
const ENTITIES = 12

/**
 * Makes a subgraph executable. Every value follows from its type, its field, its arguments and the number of its object,
 * the same in each subgraph; so do the nulls and errors that are strewn over all positions, some of them late.
 */
export function createMockSubgraph({ name, typeDefs }: SubgraphSdl): Subgraph {
  const document = parse(typeDefs)
  const entities = findEntities(document)
  const schema = buildSubgraphSchema([
    {
      typeDefs: document,
      resolvers: Object.fromEntries(
        [...entities].map(type => [type, { __resolveReference: resolveReference }]),
      ) as never,
    },
  ])
  const requiring = findRequiringFields(document)

  async function resolveReference(given: Record<string, unknown>): Promise<MockObject | null> {
    const typename = String(given.__typename)
    const n = findNumber(given) ?? 0
    const luck = hash(name, typename, n, 'reference')
    if (luck % 11 === 0) return null
    if (luck % 17 === 1) throw new AppError('UNAVAILABLE', `${typename} ${n} cannot be looked up in ${name}.`)
    return { __typename: typename, n, given }
  }

  function pickType(type: GraphQLOutputType, n: number): MockObject {
    const named = getNamedType(type)
    if (isAbstractType(named)) {
      const types = schema.getPossibleTypes(named).map(possible => possible.name)
      const known = types.toSorted()
      return { __typename: known[n % known.length] ?? '', n }
    }
    return { __typename: named.name, n: fitNumber(named as GraphQLObjectType, n) }
  }

  /** An entity of an interface has the type that its number says, whichever way it is reached. */
  function fitNumber(type: GraphQLObjectType, n: number): number {
    const parent = type.getInterfaces?.().find(({ name: parentName }) => entities.has(parentName))
    if (parent === undefined) return n
    const types = schema.getPossibleTypes(parent).map(possible => possible.name)
    const known = types.toSorted()
    return Math.floor(n / known.length) * known.length + known.indexOf(type.name)
  }

  function makeValue(
    type: GraphQLOutputType,
    parent: MockObject,
    field: string,
    salt: string,
    args: unknown,
  ): unknown {
    const luck = hash(parent.__typename, field, parent.n, salt, JSON.stringify(args))
    if (isNonNullType(type)) {
      if (luck % 61 === 0 && !parent.isRoot) return null
      return makeValue(type.ofType, parent, field, `${salt}!`, args)
    }
    if (luck % 13 === 0) return null
    if (isListType(type)) {
      const length = (parent.isRoot ? 2 : 0) + (luck % 4)
      return Array.from({ length }, (_, index) => {
        const item = makeValue(type.ofType, parent, field, `${salt}.${index}`, args)
        return luck % 7 === 0 && index === 1 ? Promise.resolve(item) : item
      })
    }
    if (isEnumType(type)) return type.getValues()[luck % type.getValues().length]?.value
    if ('getFields' in type || 'getTypes' in type)
      return pickType(
        type,
        parent.isRoot && field !== 'strictProduct' ? parent.n + (luck % 5) : luck % ENTITIES,
      )
    return makeLeaf(type, parent, field, luck, args)
  }

  function makeLeaf(
    type: GraphQLOutputType,
    parent: MockObject,
    field: string,
    luck: number,
    args: unknown,
  ): unknown {
    const required = requiring.get(`${parent.__typename}.${field}`)
    const { given = {} } = parent
    const seen = required?.map(requiredName => stable(given[requiredName])).join()
    switch (getNamedType(type).name) {
      case 'Int':
        return luck % 5 === 0 ? 0 : luck % 1000
      case 'Float':
        return luck % 5 === 0 ? 0 : (luck % 1000) / 8
      case 'Boolean':
        return luck % 2 === 0
      case 'DateTime':
        return '2026-01-31T08:00:00.000Z'
      case 'JSON':
        return { luck: luck % 10, list: [1, { deep: field }] }
      default:
        if (luck % 9 === 0) return ''
        return `${parent.__typename}.${field}#${parent.n}${stable(args)}${seen ?? ''}`
    }
  }

  function resolveField(
    type: GraphQLOutputType,
    parent: MockObject,
    field: string,
    args: Readonly<Record<string, unknown>>,
  ): unknown {
    const luck = hash('error', parent.__typename, field, parent.n, stable(args))
    const isKey = ['id', 'sku', 'code'].includes(field)
    if (isKey) return `${field}-${parent.n}`
    // Where a null would blank everything around it, errors are rare.
    if (isNonNullType(type) && (parent.isRoot || luck % 3 > 0) && field !== 'refuse')
      return makeValue(type, parent, field, '', args)
    if (luck % 19 === 0 || field === 'refuse') throw makeError(luck, `${parent.__typename}.${field}`)
    if (luck % 23 === 1) return new Error(`returned by ${field}`)
    if (luck % 5 === 0) {
      return (async () => {
        if (luck % 4 === 0) await null
        if (luck % 3 === 0) throw makeError(luck, `${parent.__typename}.${field}, late`)
        return makeValue(type, parent, field, '', args)
      })()
    }
    return makeValue(type, parent, field, '', args)
  }

  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('_')) continue
    if (isObjectType(type)) {
      const isRoot = type === schema.getQueryType() || type === schema.getMutationType()
      for (const field of Object.values(type.getFields())) {
        if (field.name.startsWith('_')) continue
        field.resolve = (parent: MockObject | undefined, args) =>
          resolveField(field.type, isRoot || !parent ? rootObject(type.name, args) : parent, field.name, args)
      }
    } else if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      type.serialize = value => value
    } else if (isInterfaceType(type)) {
      type.resolveType = (value: { __typename: string; n: number }) =>
        value.__typename === type.name ? pickType(type, value.n).__typename : value.__typename
    }
  }
  return { name, schema, createContext: () => ({}) }
}

/** Fields of the root give different objects for different ids. */
function rootObject(typename: string, args: Readonly<Record<string, unknown>>): MockObject {
  return { __typename: typename, n: findNumber(args) ?? 1, isRoot: true }
}

function makeError(luck: number, where: string): Error {
  const kinds = [
    new AppError('NOT_FOUND', `Nothing at ${where}.`),
    new AppError('FORBIDDEN', `Not for you: ${where}.`),
    new Error(`secret of ${where}`),
    new GraphQLError(`Conflict at ${where}.`, { extensions: { code: 'CONFLICT', limit: 3 } }),
    new GraphQLError(`Odd code at ${where}.`, { extensions: { code: 'ODD' } }),
  ]
  return kinds[luck % kinds.length] ?? new Error(where)
}

function findEntities(document: DocumentNode): Set<string> {
  const names = new Set<string>()
  for (const definition of document.definitions)
    if (
      (definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
        definition.kind === Kind.INTERFACE_TYPE_DEFINITION) &&
      definition.directives?.some(({ name }) => name.value === 'key')
    )
      names.add(definition.name.value)
  return names
}

/** The names at the top of what each field requires. */
function findRequiringFields(document: DocumentNode): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
    for (const field of definition.fields ?? []) {
      const requires = field.directives?.find(({ name }) => name.value === 'requires')
      const [argument] = requires?.arguments ?? []
      if (argument?.value.kind !== Kind.STRING) continue
      const top = argument.value.value.replaceAll(/\{[^}]*\}+/g, '').split(/\s+/)
      found.set(`${definition.name.value}.${field.name.value}`, top.filter(Boolean))
    }
  }
  return found
}

/** Every key carries the number of its entity; the one of a nested object counts last. */
function findNumber(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const [found] = /\d+$/.exec(value) ?? []
    return found === undefined ? undefined : Number(found)
  }
  if (typeof value !== 'object' || value === null) return undefined
  const values = Object.entries(value).filter(([key]) => key !== '__typename')
  const scalars = values.filter(([, inner]) => typeof inner !== 'object')
  for (const [, inner] of [...scalars.filter(([key]) => ['id', 'sku', 'code'].includes(key)), ...scalars]) {
    const n = findNumber(inner)
    if (n !== undefined) return n
  }
  return undefined
}

/** JSON with sorted keys. */
function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}

/** FNV-1a. */
function hash(...parts: readonly (string | number | undefined)[]): number {
  let h = 0x811c9dc5
  for (const char of parts.join('|')) h = Math.imul(h ^ char.charCodeAt(0), 0x01000193) >>> 0
  return (h ^ (h >>> 15)) >>> 0
}
