import { GraphQLError } from 'graphql'
import { AppError, ERROR_CODES, type ErrorCode, toAppError } from '../subgraphs/shared/errors.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'

/** An AppError whose status is not that of its code. */
export class HttpError extends AppError {
  readonly status: number

  constructor(status: number, code: ErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
    this.status = status
  }
}

/** Status of an answer that is this error. */
export function statusOf(error: AppError): number {
  return error instanceof HttpError ? error.status : ERROR_CODES[error.code].httpStatus
}

/** Whatever was thrown as a GraphQL error that says its status in `extensions.http`, as Apollo Server reads it. */
export function asHttpError(thrown: unknown, logger: Logger): GraphQLError {
  if (thrown instanceof GraphQLError) {
    const extensions = { http: { status: 400 }, ...thrown.extensions }
    return new GraphQLError(thrown.message, {
      nodes: thrown.nodes,
      source: thrown.source,
      positions: thrown.positions,
      extensions,
    })
  }
  const error = toAppError(thrown)
  if (error.code === 'INTERNAL_SERVER_ERROR') logger.error({ err: error.cause }, 'gateway.context_failed')
  return new GraphQLError(error.message, {
    extensions: { code: error.code, http: { status: statusOf(error) } },
  })
}
