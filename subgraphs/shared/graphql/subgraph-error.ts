import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { type AppError, ERROR_CODES, toAppError } from '../errors.ts'
import type { Logger } from '../logger.ts'

/** Where an error of a subgraph's execution happened, for the log. */
export interface SubgraphErrorSite {
  readonly logger: Logger
  readonly subgraph: string
  readonly requestId: string
}

/**
 * Turns what a resolver threw into what may leave the subgraph: message and `extensions.code` of the AppError, the path,
 * nothing else. What nobody expected becomes INTERNAL_SERVER_ERROR with neutral text; its cause is logged.
 */
export function formatSubgraphError(error: GraphQLError, site: SubgraphErrorSite): GraphQLFormattedError {
  const thrown = unwrap(error)
  if (thrown instanceof GraphQLError && isKnownCode(thrown.extensions.code))
    return { message: thrown.message, path: error.path, extensions: { ...thrown.extensions } }
  const appError = toAppError(thrown)
  logIfOurs(appError, error.path, site)
  return { message: appError.message, path: error.path, extensions: { code: appError.code } }
}

/** Turns the failure of a whole stream or request into a GraphQLError with `extensions.code`; ours are logged. */
export function toGraphqlError(thrown: unknown, site: SubgraphErrorSite): GraphQLError {
  if (thrown instanceof GraphQLError && isKnownCode(thrown.extensions.code)) return thrown
  const appError = toAppError(thrown)
  logIfOurs(appError, undefined, site)
  return new GraphQLError(appError.message, { extensions: { code: appError.code } })
}

function unwrap(error: GraphQLError): unknown {
  let thrown: unknown = error
  while (thrown instanceof GraphQLError && thrown.originalError !== undefined) thrown = thrown.originalError
  return thrown
}

function isKnownCode(code: unknown): boolean {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)
}

function logIfOurs(error: AppError, path: GraphQLError['path'], site: SubgraphErrorSite): void {
  if (error.code !== 'INTERNAL_SERVER_ERROR' && error.code !== 'UNAVAILABLE') return
  const { logger, subgraph, requestId } = site
  logger.error(
    { subgraph, requestId, path: path?.join('.'), code: error.code, err: error.cause ?? error },
    'subgraph.field_failed',
  )
}
