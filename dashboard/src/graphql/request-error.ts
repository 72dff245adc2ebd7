import { defineMessages } from '../i18n/define-messages.ts'

const messages = defineMessages({
  en: {
    offline: 'The product could not be reached. Check the connection.',
    unauthenticated: 'You are signed out. Sign in again.',
    forbidden: 'You may not do this.',
    notFound: 'This is not there any more.',
    rateLimited: 'That was too much at once. Wait a moment.',
    unavailable: 'This cannot be answered just now. Try again in a moment.',
    conflict: 'This has changed meanwhile.',
    internal: 'Something went wrong in the product.',
  },
  ko: {
    offline: '서버에 연결할 수 없습니다. 네트워크를 확인해 주세요.',
    unauthenticated: '로그아웃되었습니다. 다시 로그인해 주세요.',
    forbidden: '권한이 없습니다.',
    notFound: '더 이상 존재하지 않습니다.',
    rateLimited: '요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.',
    unavailable: '지금은 응답할 수 없습니다. 잠시 후 다시 시도해 주세요.',
    conflict: '그사이 내용이 변경되었습니다.',
    internal: '서버에서 문제가 발생했습니다.',
  },
})

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

  /** What to tell the person, in the language of the page; of bad input, what the product says about it. */
  get text(): string {
    const texts: Record<string, string> = {
      UNAUTHENTICATED: messages.unauthenticated,
      FORBIDDEN: messages.forbidden,
      NOT_FOUND: messages.notFound,
      BAD_USER_INPUT: this.message,
      RATE_LIMITED: messages.rateLimited,
      CONFLICT: messages.conflict,
      UNAVAILABLE: messages.unavailable,
      INTERNAL_SERVER_ERROR: messages.internal,
      OFFLINE: messages.offline,
    }
    return texts[this.code] ?? this.message
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

/** What went wrong, as a RequestError. */
export function asRequestError(error: unknown): RequestError {
  return error instanceof RequestError
    ? error
    : new RequestError('INTERNAL_SERVER_ERROR', String(error), { cause: error })
}
