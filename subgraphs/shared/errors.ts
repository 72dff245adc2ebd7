/**
 * Expected errors, one row a code: what each door answers with.
 *
 * `httpStatus` for HTTP, `closeCode` for WebSockets (RFC 6455 §7.4.2, graphql-transport-ws), `stomp` for the
 * `message` header of a STOMP ERROR frame; GraphQL answers carry the code itself in `extensions.code`.
 */
export const ERROR_CODES = {
  UNAUTHENTICATED: { httpStatus: 401, closeCode: 4401, stomp: 'Not authenticated' },
  FORBIDDEN: { httpStatus: 403, closeCode: 4403, stomp: 'Not allowed' },
  NOT_FOUND: { httpStatus: 404, closeCode: 4400, stomp: 'Not found' },
  BAD_USER_INPUT: { httpStatus: 400, closeCode: 4400, stomp: 'Bad frame' },
  PAYLOAD_TOO_LARGE: { httpStatus: 413, closeCode: 1009, stomp: 'Frame too large' },
  RATE_LIMITED: { httpStatus: 429, closeCode: 4429, stomp: 'Too many messages' },
  CONFLICT: { httpStatus: 409, closeCode: 4409, stomp: 'Taken over by a newer session' },
  UNAVAILABLE: { httpStatus: 503, closeCode: 1013, stomp: 'Not available now' },
  INTERNAL_SERVER_ERROR: { httpStatus: 500, closeCode: 1011, stomp: 'Internal error' },
} as const

/** Code of an expected error. */
export type ErrorCode = keyof typeof ERROR_CODES

/** An error that a caller may see: its message is safe to show; its cause is for the log only. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * Answers the AppError to show for anything that was thrown: itself when it is one, UNAVAILABLE when the cause is a
 * database or Redis that cannot be reached or is late, else INTERNAL_SERVER_ERROR with neutral text.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (isUnreachable(thrown))
    return new AppError('UNAVAILABLE', 'The service cannot answer now. Try again.', { cause: thrown })
  return new AppError('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.', { cause: thrown })
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_LOCK_WAIT_TIMEOUT',
  'POOL_CLOSED',
])

function isUnreachable(thrown: unknown, depth = 0): boolean {
  if (!(thrown instanceof Error) || depth > 4) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return (
    UNREACHABLE_CODES.has(code) ||
    thrown.name === 'MaxRetriesPerRequestError' ||
    /Connection is closed|Command timed out|Stream isn't writeable|Queue limit reached/.test(
      thrown.message,
    ) ||
    isUnreachable(thrown.cause, depth + 1)
  )
}
