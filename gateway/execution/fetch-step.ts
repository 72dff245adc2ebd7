import type { FetchNode } from '@apollo/query-planner'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { compileRewrites } from './data-rewrites.ts'
import { toClientErrors } from './fetch-error.ts'
import type { PlanExecution, PlanStep } from './plan-execution.ts'
import { compileRepresentation, readRepresentations } from './representations.ts'
import { findObjects, type PlanPath } from './response-path.ts'
import { copyResult, isResultObject, mergeResult, type ResultObject } from './result-object.ts'

/** What plans are compiled against. */
export interface PlanTarget {
  readonly supergraphSchema: GraphQLSchema
  readonly sources: ReadonlyMap<string, Pick<SubgraphSource, 'fetch'>>
}

/** Puts an answer of a fetch without representations into the objects at the fetch's path. */
export type AbsorbResult = (execution: PlanExecution, result: SubgraphResult) => void

/** Compiles what happens to the answer of a fetch without representations. */
export function compileAbsorb(fetch: FetchNode, path: PlanPath, target: PlanTarget): AbsorbResult {
  const rewrite = compileRewrites(fetch.outputRewrites, target.supergraphSchema)
  return (execution, { data, errors }) => {
    if (errors !== undefined)
      execution.errors.push(
        ...toClientErrors(errors, {
          subgraph: fetch.serviceName,
          path,
          data: execution.data,
          hasEntities: false,
        }),
      )
    if (!isResultObject(data)) return
    rewrite?.(data)
    findObjects(execution.data, path).forEach((object, index) => {
      mergeResult(object, index === 0 ? data : copyResult(data))
    })
  }
}

/**
 * Compiles a fetch. With `requires` it asks for the entities of all objects at its path in one request, each distinct
 * representation once; without, it runs once whatever is at its path, unless nothing is.
 */
export function compileFetch(fetch: FetchNode, path: PlanPath, target: PlanTarget): PlanStep {
  const { serviceName, requires } = fetch
  const source = target.sources.get(serviceName)
  if (source === undefined)
    throw new TypeError(`Expected a source for the subgraph ${serviceName}, got none.`)
  const run =
    requires === undefined
      ? compilePlainFetch(fetch, path, target, source)
      : compileEntityFetch({ ...fetch, requires }, path, target, source)
  return async execution => {
    try {
      await run(execution)
    } catch (error) {
      execution.errors.push(toGraphqlError(error))
    }
  }
}

type Source = Pick<SubgraphSource, 'fetch'>

function compilePlainFetch(fetch: FetchNode, path: PlanPath, target: PlanTarget, source: Source): PlanStep {
  const { operation: query, operationName } = fetch
  const absorb = compileAbsorb(fetch, path, target)
  const readVariables = compileVariables(fetch)
  return async execution => {
    if (path.length > 0 && findObjects(execution.data, path).length === 0) return
    const variables = readVariables(execution.variables)
    absorb(execution, await source.fetch({ query, operationName, variables }, execution.context))
  }
}

function compileEntityFetch(
  fetch: FetchNode & Required<Pick<FetchNode, 'requires'>>,
  path: PlanPath,
  { supergraphSchema }: PlanTarget,
  source: Source,
): PlanStep {
  const { operation: query, operationName, serviceName } = fetch
  const read = compileRepresentation(fetch.requires, supergraphSchema)
  const rewriteInput = compileRewrites(fetch.inputRewrites, supergraphSchema)
  const rewriteOutput = compileRewrites(fetch.outputRewrites, supergraphSchema)
  const readVariables = compileVariables(fetch)

  return async execution => {
    const objects = findObjects(execution.data, path)
    const representations = readRepresentations(objects, read, rewriteInput)
    if (representations.distinct.length === 0) return
    const variables = readVariables(execution.variables)
    if ('representations' in variables) throw new Error('Variables cannot contain key "representations"')
    variables.representations = representations.distinct
    const result = await source.fetch({ query, operationName, variables }, execution.context)
    const { data, errors } = result
    if (errors !== undefined)
      execution.errors.push(
        ...toClientErrors(errors, {
          subgraph: serviceName,
          path,
          data: execution.data,
          objects: representations.objects,
          hasEntities: isResultObject(data) && Array.isArray(data._entities),
        }),
      )
    if (!isResultObject(data)) return
    const entities = readEntities(data, representations.distinct.length)
    entities.forEach((entity, index) => {
      if (isResultObject(entity)) {
        rewriteOutput?.(entity)
        mergeEntity(entity, objects, representations.objects[index] ?? [])
      }
    })
  }
}

function mergeEntity(
  entity: ResultObject,
  objects: readonly ResultObject[],
  indexes: readonly number[],
): void {
  indexes.forEach((index, time) => {
    const object = objects[index]
    if (object === undefined) return
    const received = time === indexes.length - 1 ? entity : copyResult(entity)
    // An entity that was not asked for its type is still of the type it was asked for as.
    if (!received.__typename) received.__typename = object.__typename
    mergeResult(object, received)
  })
}

function readEntities(data: ResultObject, expected: number): readonly unknown[] {
  const { _entities: entities } = data
  if (!Array.isArray(entities)) throw new Error('Expected "data._entities" in response to be an array')
  if (entities.length !== expected)
    throw new Error(`Expected "data._entities" to contain ${expected} elements`)
  return entities
}

/** A fetch gets the variables it uses, as the client sent them: its own operation says the default values. */
function compileVariables({
  variableUsages = [],
}: FetchNode): (given: Readonly<Record<string, unknown>>) => ResultObject {
  return given => {
    const variables: ResultObject = Object.create(null)
    for (const name of variableUsages)
      if (Object.hasOwn(given, name) && given[name] !== undefined) variables[name] = given[name]
    return variables
  }
}

function toGraphqlError(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  const error = thrown instanceof Error ? thrown : new TypeError(`Expected an Error, got ${String(thrown)}.`)
  return new GraphQLError(error.message, { originalError: error })
}
