import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { AppError, ERROR_CODES, toAppError } from '../subgraphs/shared/errors.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'

/**
 * Codes beside those of ERROR_CODES that clients see. They are Apollo Server's own for requests that never ran, kept
 * because client libraries act on them (APQ links on PERSISTED_QUERY_NOT_FOUND, for one).
 */
const APOLLO_CODES = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
])

/** Characters of a message; the rest is left out. */
const MAX_MESSAGE_LENGTH = 1_000

/** What of `extensions` is for clients: `limit`, `max` and `retryAfter` (s) say which limit it broke. */
const SHOWN_EXTENSIONS = ['code', 'limit', 'max', 'retryAfter'] as const

/** Turns an error into what a client sees. */
export type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError

/**
 * Creates the last word on errors of HTTP and WebSocket answers: message, locations, path, and of the extensions the
 * code and what explains it. An error without a known code is ours: logged with its cause, shown as
 * INTERNAL_SERVER_ERROR (or UNAVAILABLE) with neutral text. Stack traces and names of subgraphs never leave.
 */
export function createErrorFormat({
  hasSuggestions = false,
  logger,
}: {
  /** Whether "did you mean" stays in the messages. */
  hasSuggestions?: boolean
  logger: Logger
}): FormatError {
  return (formatted, error) => {
    const { locations, path, extensions = {} } = formatted
    const message = shorten(hasSuggestions ? formatted.message : withoutSuggestion(formatted.message))
    const shown = { message, ...(locations && { locations }), ...(path && { path }) }
    const thrown = unwrap(error)
    if (!(thrown instanceof AppError) && isForClients(extensions.code)) {
      const kept = SHOWN_EXTENSIONS.filter(name => extensions[name] !== undefined)
      return { ...shown, extensions: Object.fromEntries(kept.map(name => [name, extensions[name]])) }
    }
    const appError = toAppError(thrown)
    // `serviceName` marks what a subgraph answered, which has its own line in the log.
    if (appError.code === 'INTERNAL_SERVER_ERROR' && extensions.serviceName === undefined)
      logger.error({ err: appError.cause ?? appError, path: path?.join('.') }, 'gateway.error')
    return { ...shown, message: appError.message, extensions: { code: appError.code } }
  }
}

/** Messages quote what clients send, however long it is. */
function shorten(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
}

/** In linear time, as messages quote what clients send. */
function withoutSuggestion(message: string): string {
  if (!message.endsWith('?')) return message
  const at = message.lastIndexOf(' Did you mean ')
  return at < 0 ? message : message.slice(0, at)
}

function unwrap(error: unknown): unknown {
  let thrown = error
  while (thrown instanceof GraphQLError && thrown.originalError !== undefined) thrown = thrown.originalError
  return thrown
}

/** INTERNAL_SERVER_ERROR is what Apollo Server calls everything without a code, so its message may be anything. */
function isForClients(code: unknown): boolean {
  if (typeof code !== 'string' || code === 'INTERNAL_SERVER_ERROR') return false
  return Object.hasOwn(ERROR_CODES, code) || APOLLO_CODES.has(code)
}
