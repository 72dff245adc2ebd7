/** Why a request failed: a code of the API, or that the product could not be reached. */
export type RequestErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'RATE_LIMITED'
  | 'CONFLICT'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR'
  | 'OFFLINE'

/** A request that was not answered as asked. Its message is the product's own, in English. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode

  constructor(code: RequestErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The first of a result's errors. Its code is INTERNAL_SERVER_ERROR where there is none. */
export function toRequestError(
  errors: readonly { message: string; extensions?: Record<string, unknown> | undefined }[],
): RequestError {
  const [{ message, extensions } = { message: 'No answer' }] = errors
  const { code } = extensions ?? {}
  return new RequestError(
    typeof code === 'string' ? (code as RequestErrorCode) : 'INTERNAL_SERVER_ERROR',
    message,
  )
}
