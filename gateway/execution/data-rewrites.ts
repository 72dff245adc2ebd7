import type { FetchDataRewrite } from '@apollo/query-planner'
import { type GraphQLSchema, isAbstractType, isInterfaceType, isObjectType } from 'graphql'
import { isResultObject, type ResultObject, readOwn, writeOwn } from './result-object.ts'

/** Changes an object in place. */
export type Rewrite = (value: unknown) => void

const FRAGMENT = '... on '

/** Compiles the rewrites of a fetch, in their order; undefined when there are none. */
export function compileRewrites(
  rewrites: readonly FetchDataRewrite[] | undefined,
  supergraphSchema: GraphQLSchema,
): Rewrite | undefined {
  if (rewrites === undefined || rewrites.length === 0) return undefined
  const compiled = rewrites.map(rewrite => {
    const last = rewrite.path.at(-1)
    if (last === undefined) throw new TypeError('Expected a rewrite with a path, got an empty one.')
    return atPath(rewrite.path.slice(0, -1), compileChange(rewrite, last), supergraphSchema)
  })
  return value => {
    for (const rewrite of compiled) rewrite(value)
  }
}

function compileChange(rewrite: FetchDataRewrite, name: string): (object: ResultObject) => void {
  if (rewrite.kind === 'ValueSetter') {
    const { setValueTo } = rewrite
    return object => writeOwn(object, name, setValueTo)
  }
  const { renameKeyTo } = rewrite
  return object => {
    const value = readOwn(object, name)
    if (value === undefined) return
    writeOwn(object, renameKeyTo, value)
    object[name] = undefined
  }
}

function atPath(
  path: readonly string[],
  change: (object: ResultObject) => void,
  schema: GraphQLSchema,
): Rewrite {
  const [step, ...rest] = path
  if (step === undefined) return eachObject(change)
  const inner = atPath(rest, change, schema)
  if (!step.startsWith(FRAGMENT)) return eachObject(object => inner(readOwn(object, step)))
  const isMeant = compileTypeTest(step.slice(FRAGMENT.length), schema)
  // Not every object was asked for its __typename; one that was not may be meant.
  return eachObject(object => {
    if (!object.__typename || isMeant(object.__typename)) inner(object)
  })
}

function eachObject(change: (object: ResultObject) => void): Rewrite {
  return function visit(value) {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isResultObject(value)) change(value)
  }
}

/** Compiles the question whether an object of this __typename is of a type of the supergraph, or a subtype. */
export function compileTypeTest(typeName: string, schema: GraphQLSchema): (typename: unknown) => boolean {
  const condition = schema.getType(typeName)
  return typename => {
    if (typename === typeName) return true
    if (!isAbstractType(condition) || typeof typename !== 'string') return false
    const type = schema.getType(typename)
    return (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(condition, type)
  }
}
