import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
} from 'graphql'
import { type FieldSite, makeResolveInfo } from './field-site.ts'
import { handleError, isPromise, type OperationRun } from './operation-run.ts'

/**
 * Turns what a resolver answered into what the answer shows, or a promise of it. Throws, or rejects with, whatever is
 * wrong with it.
 */
export type CompleteValue = (value: unknown, run: OperationRun, path: ResponsePath) => unknown

/** Executes the fields of an object; the path is the object's own, undefined at the root. */
export type ExecuteObject = (source: unknown, run: OperationRun, path: ResponsePath | undefined) => unknown

/** Gives what executes the objects of a type at one site. */
export type FindObjectExecutor = (type: GraphQLObjectType) => ExecuteObject

/** Compiles the completion of a field's values (6.4.3, CompleteValue). */
export function compileComplete(
  type: GraphQLOutputType,
  site: FieldSite,
  findExecutor: FindObjectExecutor,
): CompleteValue {
  if (isNonNullType(type)) {
    const complete = compileComplete(type.ofType, site, findExecutor)
    return (value, run, path) => {
      const completed = complete(value, run, path)
      if (completed !== null) return completed
      throw new Error(
        `Cannot return null for non-nullable field ${site.parentType.name}.${site.definition.name}.`,
      )
    }
  }
  const complete = compileNonNull(type, site, findExecutor)
  return (value, run, path) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw value
    return complete(value, run, path)
  }
}

function compileNonNull(
  type: GraphQLOutputType,
  site: FieldSite,
  findExecutor: FindObjectExecutor,
): CompleteValue {
  if (isLeafType(type)) return value => completeLeaf(type, value)
  if (isListType(type)) return compileList(type, site, findExecutor)
  if (isObjectType(type)) return compileObject(type, site, findExecutor)
  return compileAbstract(type as GraphQLAbstractType, site, findExecutor)
}

/** Serialises a leaf. */
export function completeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  const serialized = type.serialize(value)
  if (serialized !== null && serialized !== undefined) return serialized
  throw new Error(`Expected ${type.name} to serialize ${typeof value} to a value, got ${serialized}.`)
}

function compileList(
  { ofType }: GraphQLList<GraphQLOutputType>,
  site: FieldSite,
  findExecutor: FindObjectExecutor,
): CompleteValue {
  const complete = compileComplete(ofType, site, findExecutor)
  const isNonNull = isNonNullType(ofType)
  const name = `${site.parentType.name}.${site.definition.name}`

  return (list, run, path) => {
    if (typeof list !== 'object' || !(Symbol.iterator in (list as object)))
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`)
    const items: unknown[] = []
    let hasPromise = false
    try {
      for (const item of list as Iterable<unknown>) {
        const itemPath = { prev: path, key: items.length, typename: undefined }
        const completed = completeItem(item, run, itemPath)
        if (isPromise(completed)) hasPromise = true
        items.push(completed)
      }
    } catch (error) {
      // graphql-js leaves these alone, and the process ends when one of them rejects.
      for (const item of items) if (isPromise(item)) item.then(undefined, () => {})
      throw error
    }
    return hasPromise ? Promise.all(items) : items
  }

  function completeItem(item: unknown, run: OperationRun, path: ResponsePath): unknown {
    try {
      const completed = isPromise(item)
        ? item.then(resolved => complete(resolved, run, path))
        : complete(item, run, path)
      return isPromise(completed)
        ? completed.then(undefined, error => handleError(error, site, isNonNull, path, run))
        : completed
    } catch (error) {
      return handleError(error, site, isNonNull, path, run)
    }
  }
}

function compileObject(
  type: GraphQLObjectType,
  site: FieldSite,
  findExecutor: FindObjectExecutor,
): CompleteValue {
  let executor: ExecuteObject | undefined
  if (type.isTypeOf === undefined || type.isTypeOf === null)
    return (value, run, path) => {
      executor ??= findExecutor(type)
      return executor(value, run, path)
    }
  const { isTypeOf } = type
  return (value, run, path) => {
    executor ??= findExecutor(type)
    const execute = executor
    const check = (isMeant: boolean) => {
      if (isMeant) return execute(value, run, path)
      throw new GraphQLError(`Expected value of type "${type.name}" but got: ${String(value)}.`, {
        nodes: site.nodes,
      })
    }
    const isMeant = isTypeOf(value, run.contextValue, makeResolveInfo(site, run, path))
    return isPromise(isMeant) ? isMeant.then(check) : check(isMeant)
  }
}

function compileAbstract(
  type: GraphQLAbstractType,
  site: FieldSite,
  findExecutor: FindObjectExecutor,
): CompleteValue {
  const resolveType = type.resolveType ?? defaultTypeResolver
  const completes = new Map<string, CompleteValue>()

  function findComplete(typename: unknown, run: OperationRun): CompleteValue {
    const known = completes.get(typename as string)
    if (known !== undefined) return known
    const found = typeof typename === 'string' ? run.schema.getType(typename) : undefined
    if (!isObjectType(found) || !run.schema.isSubType(type, found))
      throw new GraphQLError(
        `Abstract type "${type.name}" must resolve to one of its Object types at runtime for field ` +
          `"${site.parentType.name}.${site.definition.name}", received "${String(typename)}".`,
        { nodes: site.nodes },
      )
    const complete = compileObject(found, site, findExecutor)
    completes.set(found.name, complete)
    return complete
  }

  return (value, run, path) => {
    const typename = resolveType(value, run.contextValue, makeResolveInfo(site, run, path), type)
    return isPromise(typename)
      ? typename.then(resolved => findComplete(resolved, run)(value, run, path))
      : findComplete(typename, run)(value, run, path)
  }
}
