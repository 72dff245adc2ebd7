import {
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
  type ResponsePath,
} from 'graphql'
import type { FieldSite } from './field-site.ts'

/** One run of a compiled operation. */
export interface OperationRun {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly rootValue: unknown
  readonly contextValue: unknown
  readonly variableValues: Readonly<Record<string, unknown>>
  /** Arguments that were read in this run already: a field of a list reads them once. */
  readonly args: Map<FieldSite, Readonly<Record<string, unknown>>>
  readonly errors: CollectedErrors
}

/** Errors of a run, in the order in which they came. */
export interface CollectedErrors {
  readonly all: readonly GraphQLError[]
  /** Adds an error, unless its place or one around it is null for another error already. */
  add(error: GraphQLError, path: ResponsePath | undefined): void
}

/** Creates an empty collection. */
export function createCollectedErrors(): CollectedErrors {
  const all: GraphQLError[] = []
  const places = new Set<ResponsePath | undefined>()
  return {
    all,
    add(error, path) {
      for (let place = path; place !== undefined; place = place.prev) if (places.has(place)) return
      if (places.has(undefined)) return
      places.add(path)
      all.push(error)
    },
  }
}

/** Collects the error of a nullable place and answers its null; throws it on where there must be none. */
export function handleError(
  thrown: unknown,
  site: FieldSite,
  isNonNull: boolean,
  path: ResponsePath,
  run: OperationRun,
): null {
  const error = locatedError(thrown, site.nodes, listSteps(path))
  if (isNonNull) throw error
  run.errors.add(error, path)
  return null
}

function listSteps(path: ResponsePath): (string | number)[] {
  const steps: (string | number)[] = []
  for (let place: ResponsePath | undefined = path; place !== undefined; place = place.prev)
    steps.push(place.key)
  return steps.reverse()
}

/** As graphql-js tells promises. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
