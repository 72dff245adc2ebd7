import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { type GraphQLSchema, Kind } from 'graphql'
import { compileTypeTest } from './data-rewrites.ts'
import {
  isInheritedName,
  isResultObject,
  mergeResult,
  type ResultObject,
  readOwn,
  writeOwn,
} from './result-object.ts'

/** Takes from an object what a subgraph must know of it; null when something of that is not known. */
export interface ReadRepresentation {
  (object: ResultObject): ResultObject | null
  /** Set when a representation is a type and one more leaf: the name of that leaf. */
  readonly idName?: string
}

/** Adds what one selection takes; false when it is not known. */
type Take = (object: ResultObject, representation: ResultObject) => boolean

/**
 * Compiles the `requires` of a fetch. A field that is absent makes its object null: it could not be had, and the error
 * for that has been reported where it happened.
 */
export function compileRepresentation(
  selections: readonly QueryPlanSelectionNode[],
  supergraphSchema: GraphQLSchema,
): ReadRepresentation {
  return compileSimple(selections, supergraphSchema) ?? compileFragments(selections, supergraphSchema)
}

function compileFragments(
  selections: readonly QueryPlanSelectionNode[],
  supergraphSchema: GraphQLSchema,
): ReadRepresentation {
  const takes = selections.map(selection => compileTake(selection, supergraphSchema))
  return object => {
    const representation: ResultObject = {}
    for (const take of takes) if (!take(object, representation)) return null
    return representation
  }
}

/** What most fetches require, the leaves of one type, is written out as one function. */
function compileSimple(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): ReadRepresentation | undefined {
  const [fragment, ...others] = selections
  if (fragment?.kind !== Kind.INLINE_FRAGMENT || others.length > 0) return undefined
  const { typeCondition } = fragment
  const names: string[] = []
  for (const selection of fragment.selections) {
    if (selection.kind !== Kind.FIELD || selection.selections !== undefined) return undefined
    names.push(selection.alias ?? selection.name)
  }
  if (typeCondition === undefined || names.some(isInheritedName)) return undefined
  const reads = names.map((name, index) => `const v${index} = object[${JSON.stringify(name)}]`)
  const tests = names.map((_, index) => `v${index} === undefined || typeof v${index} === 'object'`)
  const entries = names.map((name, index) => `${JSON.stringify(name)}: v${index}`)
  const body = `'use strict'
return object => {
  if (object.__typename !== ${JSON.stringify(typeCondition)} && !isMeant(object.__typename)) return null
  ${reads.join('\n  ')}
  if (${tests.join(' || ')}) return readOthers(object)
  return { ${entries.join(', ')} }
}`
  const readOthers = compileFragments(selections, schema)
  const read = new Function('isMeant', 'readOthers', body)(compileTypeTest(typeCondition, schema), readOthers)
  const ids = names.filter(name => name !== '__typename')
  return Object.assign(read, { idName: names.length === 2 && ids.length === 1 ? ids[0] : undefined })
}

function compileTake(selection: QueryPlanSelectionNode, schema: GraphQLSchema): Take {
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const { typeCondition } = selection
    if (typeCondition === undefined) return () => true
    const isMeant = compileTypeTest(typeCondition, schema)
    const read = compileRepresentation(selection.selections, schema)
    return (object, representation) => {
      const inner = isMeant(object.__typename) ? read(object) : null
      if (inner !== null) mergeResult(representation, inner)
      return true
    }
  }
  const name = selection.alias ?? selection.name
  const read = selection.selections && compileRepresentation(selection.selections, schema)
  const readValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(readValue)
    return read !== undefined && isResultObject(value) ? read(value) : value
  }
  return (object, representation) => {
    const value = readOwn(object, name)
    if (value === undefined) return false
    writeOwn(representation, name, readValue(value))
    return true
  }
}

/** Representations without repetition, and which objects each of them stands for. */
export interface Representations {
  readonly distinct: readonly ResultObject[]
  /** Indexes of objects, one list for each of `distinct`. */
  readonly objects: readonly number[][]
}

/** Reads the representations of all objects; what has none, or no __typename, is left out. */
export function readRepresentations(
  objects: readonly ResultObject[],
  read: ReadRepresentation,
  rewrite: ((value: unknown) => void) | undefined,
): Representations {
  const distinct: ResultObject[] = []
  const indexes: number[][] = []
  const known = new Map<string, number[]>()
  // An id is a key as it is, among objects of one type.
  const knownIds = new Map<string, number[]>()
  const idName = rewrite === undefined ? read.idName : undefined
  const firstType = objects[0]?.__typename
  for (let index = 0; index < objects.length; index++) {
    const representation = read(objects[index] as ResultObject)
    if (representation === null || !representation.__typename) continue
    rewrite?.(representation)
    const id = idName !== undefined && representation.__typename === firstType && representation[idName]
    const isId = typeof id === 'string'
    const key = isId ? id : JSON.stringify(representation)
    const keys = isId ? knownIds : known
    const same = keys.get(key)
    if (same !== undefined) {
      same.push(index)
      continue
    }
    const first = [index]
    keys.set(key, first)
    distinct.push(representation)
    indexes.push(first)
  }
  return { distinct, objects: indexes }
}
