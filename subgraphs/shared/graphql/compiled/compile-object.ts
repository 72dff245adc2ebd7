import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
  isLeafType,
  isNonNullType,
  type ResponsePath,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql'
import { collectSites, type SiteSource } from './collect-sites.ts'
import { compileComplete, type ExecuteObject } from './complete-value.ts'
import { type FieldSite, makeResolveInfo, readArguments } from './field-site.ts'
import { handleError, isPromise, type OperationRun } from './operation-run.ts'

/** Executes one field of an object whose own path is given. */
type ExecuteField = (source: unknown, run: OperationRun, parent: ResponsePath | undefined) => unknown

/** Completes a value that the object had for a field without resolver. */
type CompleteProperty = (
  value: unknown,
  source: unknown,
  run: OperationRun,
  parent: ResponsePath | undefined,
) => unknown

/**
 * Compiles the execution of an object's fields, all at once (6.3, ExecuteSelectionSet): one JavaScript function that
 * reads leaves without resolver straight from the object, calls the others, and makes the answer's object in one piece.
 */
export function compileObjectExecutor(
  selectionSets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  source: SiteSource,
): ExecuteObject {
  const sites = collectSites(selectionSets, type, source)
  const outside: unknown[] = []
  const outsideName = (value: unknown) => `c[${outside.push(value) - 1}]`
  const names = sites.map((_, index) => `f${index}`)
  const lines = sites.flatMap((site, index) => writeField(site, `f${index}`, outsideName, source))
  const entries = sites.map(({ key }, index) => {
    const quoted = JSON.stringify(key)
    return `${key === '__proto__' ? `[${quoted}]` : quoted}: f${index}`
  })
  const promises = sites.filter(mayBePromise).map(site => names[sites.indexOf(site)])
  const body = `'use strict'
return (source, run, path) => {
  const o = (typeof source === 'object' && source !== null) || typeof source === 'function' ? source : NOTHING
  let v${names.map(name => `, ${name}`).join('')}
  try {
    ${lines.join('\n    ')}
  } catch (error) {
    return abandon([${names.join(', ')}], error)
  }
  const result = { ${entries.join(', ')} }
  return ${promises.map(name => `isPending(${name})`).join(' || ') || 'false'} ? settle(result) : result
}`
  return new Function('c', 'NOTHING', 'isPending', 'asError', 'abandon', 'settle', body)(
    outside,
    NOTHING,
    isPending,
    asError,
    abandon,
    settle,
  )
}

/** Stands for a value that has no properties. */
const NOTHING = Object.freeze(Object.create(null))

/** Whether a completed value is still to come. */
function isPending(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isPromise(value)
}

function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return Object.assign(new Error(`Unexpected error value: ${JSON.stringify(thrown)}`), {
    name: 'NonErrorThrown',
  })
}

function mayBePromise({ definition }: FieldSite): boolean {
  return definition !== TypeNameMetaFieldDef
}

/** Values that are shown as they are. */
const SHOWN_AS_THEY_ARE = new Map<GraphQLOutputType, string>([
  [GraphQLString, `typeof v === 'string'`],
  [GraphQLID, `typeof v === 'string'`],
  [GraphQLBoolean, `typeof v === 'boolean'`],
  [GraphQLInt, `typeof v === 'number' && (v | 0) === v`],
  [GraphQLFloat, 'Number.isFinite(v)'],
])

function writeField(
  site: FieldSite,
  result: string,
  outsideName: (value: unknown) => string,
  source: SiteSource,
): string[] {
  const { definition, parentType } = site
  if (definition === TypeNameMetaFieldDef) return [`${result} = ${JSON.stringify(parentType.name)}`]
  if (definition.resolve !== undefined && definition.resolve !== null)
    return [`${result} = ${outsideName(compileResolved(site, source))}(source, run, path)`]
  const complete = outsideName(compileProperty(site, source))
  // A getter may throw; what it throws counts as the field's value, as if it were returned.
  const read = `try { v = o[${JSON.stringify(definition.name)}] } catch (error) { v = asError(error) }`
  const type = getNullableType(definition.type)
  const test = SHOWN_AS_THEY_ARE.get(type)
  const slow = `${complete}(v, source, run, path)`
  const isNull = isNonNullType(definition.type) ? '' : 'v === null || v === undefined ? null : '
  return [read, `${result} = ${test === undefined ? '' : `${test} ? v : `}${isNull}${slow}`]
}

function compileSiteComplete(site: FieldSite, source: SiteSource) {
  const inner = site.nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]))
  const executors = new Map<GraphQLObjectType, ExecuteObject>()
  return compileComplete(site.definition.type, site, type => {
    let executor = executors.get(type)
    if (executor === undefined) {
      executor = compileObjectExecutor(inner, type, source)
      executors.set(type, executor)
    }
    return executor
  })
}

function compileResolved(site: FieldSite, source: SiteSource): ExecuteField {
  const { key, definition, parentType } = site
  const complete = compileSiteComplete(site, source)
  const isNonNull = isNonNullType(definition.type)
  const { resolve } = definition
  if (resolve === undefined) throw new TypeError(`Expected a resolver of ${definition.name}, got none.`)
  return (object, run, parent) => {
    const path = { prev: parent, key, typename: parentType.name }
    try {
      const value = resolve(
        object,
        readArguments(site, run),
        run.contextValue,
        makeResolveInfo(site, run, path),
      )
      const completed = isPromise(value)
        ? value.then(resolved => complete(resolved, run, path))
        : complete(value, run, path)
      return isPromise(completed)
        ? completed.then(undefined, error => handleError(error, site, isNonNull, path, run))
        : completed
    } catch (error) {
      return handleError(error, site, isNonNull, path, run)
    }
  }
}

function compileProperty(site: FieldSite, source: SiteSource): CompleteProperty {
  const { key, definition, parentType } = site
  const complete = compileSiteComplete(site, source)
  const isNonNull = isNonNullType(definition.type)
  const isLeaf = isLeafType(getNullableType(definition.type))
  return (property, object, run, parent) => {
    // A leaf's completion does not look at its path, which is made for errors alone.
    const path = isLeaf ? undefined : { prev: parent, key, typename: parentType.name }
    const place = () => path ?? { prev: parent, key, typename: parentType.name }
    try {
      const value =
        typeof property === 'function'
          ? callProperty(site, object as Record<string, unknown>, run, place())
          : property
      const completed = isPromise(value)
        ? value.then(resolved => complete(resolved, run, path as ResponsePath))
        : complete(value, run, path as ResponsePath)
      return isPromise(completed)
        ? completed.then(undefined, error => handleError(error, site, isNonNull, place(), run))
        : completed
    } catch (error) {
      return handleError(error, site, isNonNull, place(), run)
    }
  }
}

/** A method of the object answers for it, without the object as its first argument. */
function callProperty(
  site: FieldSite,
  object: Record<string, unknown>,
  run: OperationRun,
  path: ResponsePath,
): unknown {
  const method = object[site.definition.name] as (...args: unknown[]) => unknown
  return method.call(object, readArguments(site, run), run.contextValue, makeResolveInfo(site, run, path))
}

/** Waits for all values of an object. */
async function settle(result: Record<string, unknown>): Promise<Record<string, unknown>> {
  const names = Object.keys(result)
  const values = await Promise.all(Object.values(result))
  names.forEach((name, index) => {
    if (name !== '__proto__') result[name] = values[index]
    else Object.defineProperty(result, name, { value: values[index], enumerable: true })
  })
  return result
}

/**
 * Passes an error on, after the promises of the other fields: they may reject too, and have errors of their own. In as
 * many turns as graphql-js takes for it, so that errors come in the same order.
 */
function abandon(values: readonly unknown[], error: unknown): Promise<never> {
  if (!values.some(isPending)) throw error
  return Promise.all(values)
    .then(() => {})
    .finally(() => {
      throw error
    }) as Promise<never>
}

/** Compiles the execution of one field alone. */
export function compileFieldExecutor(site: FieldSite, source: SiteSource): ExecuteField {
  const { definition, parentType } = site
  if (definition === TypeNameMetaFieldDef) return () => parentType.name
  if (definition.resolve !== undefined && definition.resolve !== null) return compileResolved(site, source)
  const complete = compileProperty(site, source)
  return (object, run, parent) => {
    const isObject = (typeof object === 'object' && object !== null) || typeof object === 'function'
    return complete(
      isObject ? (object as Record<string, unknown>)[definition.name] : undefined,
      object,
      run,
      parent,
    )
  }
}
