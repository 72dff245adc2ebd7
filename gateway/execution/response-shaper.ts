import {
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { writeLeafTest } from './leaf-test.ts'
import { isInheritedName, type ResultObject, readOwn } from './result-object.ts'
import {
  collectShapeFields,
  type ScopedSelection,
  type ShapeField,
  type ShapeSource,
} from './shape-fields.ts'

/** What happens beside the data while one answer is shaped. */
export interface ShapeRun {
  /** What `__schema` and `__type` answer, by key. */
  readonly introspected?: ResultObject
  /** Where the subgraphs' data was not what the schema promises, in words. */
  readonly violations: string[]
}

/** Makes the client's data of what the plan has put together: null when a null had to spread to the root. */
export type ShapeResponse = (fetched: ResultObject, run: ShapeRun) => ResultObject | null

/** Stands for a null where none may be: the object or list around it is null. */
const INVALID = Symbol('invalid')

type ShapeObject = (object: ResultObject, run: ShapeRun) => ResultObject | typeof INVALID
type ShapeValue = (value: unknown, run: ShapeRun) => unknown

/**
 * Compiles the shape of an operation's answer: exactly the keys that were selected, in their order, each checked
 * against its type; nulls spread as the specification says (6.4.4).
 *
 * One JavaScript function is written for each selection set and type that is met, so that an object is made in one
 * piece; names come from a parsed document or are quoted.
 */
export function compileShape(
  root: ScopedSelection,
  source: ShapeSource & { readonly schema: GraphQLSchema },
): ShapeResponse {
  const { schema } = source

  function compileObject(
    scopes: readonly ScopedSelection[],
    typename: GraphQLCompositeType | undefined,
    path: string,
  ): ShapeObject {
    const outside: unknown[] = []
    const name = (value: unknown) => `c[${outside.push(value) - 1}]`
    const lines: string[] = []
    const entries: string[] = []
    let count = 0
    for (const [key, field] of collectShapeFields(scopes, typename, source)) {
      const quoted = JSON.stringify(key)
      const result = `f${count++}`
      lines.push(...writeField(key, field, result, typename, path, name))
      entries.push(`${key === '__proto__' ? `[${quoted}]` : quoted}: ${result}`)
    }
    const body = `'use strict'
return (object, run) => {
  let v
  ${lines.join('\n  ')}
  return { ${entries.join(', ')} }
}`
    return new Function('c', 'INVALID', 'readOwn', body)(outside, INVALID, readOwn)
  }

  function writeField(
    key: string,
    field: ShapeField,
    result: string,
    typename: GraphQLCompositeType | undefined,
    path: string,
    name: (value: unknown) => string,
  ): string[] {
    const quoted = JSON.stringify(key)
    const read = isInheritedName(key) ? `readOwn(object, ${quoted})` : `object[${quoted}]`
    if (field.kind === 'introspection') return [`const ${result} = run.introspected[${quoted}]`]
    if (field.kind === 'typename') {
      const own = typename ?? field.on
      if (key === '__typename' && typename !== undefined)
        return isObjectType(own) ? [`const ${result} = ${JSON.stringify(own.name)}`] : ['return INVALID']
      const find = name(compileTypename(field.on))
      return [
        `const ${result} = ${find}(${read} ?? object.__typename)`,
        `if (${result} === INVALID) return INVALID`,
      ]
    }
    const { definition, on, inner } = field
    const { type } = definition
    const at = `${on.name}.${key} (${path}${key})`
    const nullable = isNonNullType(type) ? type.ofType : type
    if (!isLeafType(nullable)) {
      const complete = name(compileValue(type, inner, at, `${path}${key}.`))
      return [
        `const ${result} = ${complete}(${read}, run)`,
        ...(isNonNullType(type) ? [`if (${result} === INVALID) return INVALID`] : []),
      ]
    }
    const absent = isNonNullType(type)
      ? `run.violations.push(${JSON.stringify(nullViolation(at))}); return INVALID`
      : `${result} = null`
    const wrong = `run.violations.push(${JSON.stringify(leafViolation(at))}); ${
      isNonNullType(type) ? 'return INVALID' : `${result} = null`
    }`
    const test = writeLeafTest(nullable, `c_${result}`)
    return [
      ...(test?.values === undefined ? [] : [`const c_${result} = ${name(test.values)}`]),
      `let ${result} = v = ${read}`,
      `if (v === null || v === undefined) { ${absent} }`,
      ...(test === undefined ? [] : [`else if (!(${test.source})) { ${wrong} }`]),
    ]
  }

  /** Without a known type the object's is that on which the selection stands, as long as it can be an object's. */
  function compileTypename(on: GraphQLCompositeType): (found: unknown) => string | typeof INVALID {
    return found => {
      const type = (typeof found === 'string' ? schema.getType(found) : undefined) ?? on
      return isObjectType(type) ? type.name : INVALID
    }
  }

  /** Answers INVALID for null only where the type is non-null; whatever made it null has been reported. */
  function compileValue(
    type: GraphQLOutputType,
    scopes: readonly ScopedSelection[],
    at: string,
    path: string,
  ): ShapeValue {
    if (!isNonNullType(type)) {
      const complete = compileNonNull(type, scopes, at, path)
      return (value, run) => (value === null || value === undefined ? null : complete(value, run))
    }
    const complete = compileNonNull(type.ofType, scopes, at, path)
    const violation = nullViolation(at)
    return (value, run) => {
      if (value === null || value === undefined) {
        run.violations.push(violation)
        return INVALID
      }
      return complete(value, run) ?? INVALID
    }
  }

  function compileNonNull(
    type: GraphQLOutputType,
    scopes: readonly ScopedSelection[],
    at: string,
    path: string,
  ): ShapeValue {
    if (isListType(type)) return compileList(compileValue(type.ofType, scopes, at, path), at)
    if (isLeafType(type)) return compileLeaf(type, at)
    if (isCompositeType(type)) return compileComposite(type, scopes, at, path)
    throw new TypeError(`Expected a list, a leaf or a composite type at ${at}, got ${type}.`)
  }

  function compileComposite(
    type: GraphQLCompositeType,
    scopes: readonly ScopedSelection[],
    at: string,
    path: string,
  ): ShapeValue {
    // Compiled when met: an abstract type may have many that never come.
    const byTypename = new Map<string, ShapeObject>()
    let untyped: ShapeObject | undefined
    const shapeOf = (typename: unknown): ShapeObject | undefined => {
      if (typename === undefined || typename === null || typename === '') {
        untyped ??= compileObject(scopes, isObjectType(type) ? type : undefined, path)
        return untyped
      }
      const name = String(typename)
      const known = byTypename.get(name)
      if (known !== undefined) return known
      const found = schema.getType(name)
      if (!isCompositeType(found)) return undefined
      const shape = compileObject(scopes, found, path)
      byTypename.set(name, shape)
      return shape
    }
    return (value, run) => {
      if (typeof value !== 'object') throw new TypeError(`Expected an object at ${at}, got ${typeof value}.`)
      const object = value as ResultObject
      const shape = shapeOf(object.__typename)
      if (shape === undefined) {
        // Its name stays ours: it may be inaccessible.
        run.violations.push(`Unknown type at ${at}.`)
        return null
      }
      const shaped = shape(object, run)
      return shaped === INVALID ? null : shaped
    }
  }

  const shapeRoot = compileObject([root], isObjectType(root.on) ? root.on : undefined, '')
  return (fetched, run) => {
    const shaped = shapeRoot(fetched, run)
    return shaped === INVALID ? null : shaped
  }
}

function compileList(complete: ShapeValue, at: string): ShapeValue {
  return (value, run) => {
    if (!Array.isArray(value)) throw new TypeError(`Expected a list at ${at}, got ${typeof value}.`)
    const shaped = new Array(value.length)
    let isInvalid = false
    for (let index = 0; index < value.length; index++) {
      const item = complete(value[index], run)
      if (item === INVALID) isInvalid = true
      shaped[index] = item
    }
    return isInvalid ? null : shaped
  }
}

function compileLeaf(type: Parameters<typeof writeLeafTest>[0], at: string): ShapeValue {
  const test = writeLeafTest(type, 'values')
  if (test === undefined) return value => value
  const isValid = new Function('values', `return v => ${test.source}`)(test.values)
  return (value, run) => {
    if (isValid(value)) return value
    run.violations.push(leafViolation(at))
    return null
  }
}

function nullViolation(at: string): string {
  return `Cannot return null for non-nullable ${at}.`
}

function leafViolation(at: string): string {
  return `Invalid value found for ${at}.`
}
