import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { type ErrorPath, locateObjects, type PlanPath } from './response-path.ts'
import type { ResultObject } from './result-object.ts'

/** What a fetch was about. */
export interface FetchErrorSite {
  readonly subgraph: string
  /** Where the fetch put its answer. */
  readonly path: PlanPath
  /** All that was fetched so far. */
  readonly data: ResultObject
  /** For each representation that was sent, the objects it stood for. Absent for a fetch without representations. */
  readonly objects?: readonly (readonly number[])[]
  /** Whether the answer has entities: an error of one then counts for each object that it stood for. */
  readonly hasEntities: boolean
}

/**
 * Turns the errors of a subgraph's answer into the client's: their paths lead from the root of the client's operation,
 * and `extensions.serviceName` says (to our formatter) that a subgraph has answered them.
 */
export function toClientErrors(
  errors: readonly GraphQLFormattedError[],
  { subgraph, path, data, objects, hasEntities }: FetchErrorSite,
): GraphQLError[] {
  let located: readonly ErrorPath[] | undefined

  function toPaths(inner: ErrorPath | undefined): readonly (ErrorPath | undefined)[] {
    if (inner === undefined) return [undefined]
    const [, index, ...rest] = inner
    if (objects === undefined || typeof index !== 'number') return [[...path, ...inner]]
    located ??= locateObjects(data, path)
    const [first = -1, ...others] = objects[index] ?? []
    return [first, ...(hasEntities ? others : [])].map(object => [...(located?.[object] ?? []), ...rest])
  }

  return errors.flatMap(error =>
    toPaths(error.path).map(
      errorPath =>
        new GraphQLError(error.message || `Error while fetching subquery from service "${subgraph}"`, {
          path: errorPath,
          extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...error.extensions, serviceName: subgraph },
        }),
    ),
  )
}
