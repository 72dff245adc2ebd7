import { HeaderMap } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { ERROR_CODES } from '../../subgraphs/shared/errors.ts'

/** Counts past this are not worth their digits. */
const MAX_SHOWN = 1_000_000_000_000

/** What a client that broke a limit is told: 400 BAD_USER_INPUT with the limit's name and value. */
export function createLimitError(limit: string, max: number, message: string): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: 'BAD_USER_INPUT', limit, max, http: { status: 400 } },
  })
}

/**
 * What a client that came too often is told: RATE_LIMITED, with `retryAfter` in whole seconds; over HTTP 429 with
 * Retry-After (RFC 9110 §10.2.3).
 */
export function createRateError(limit: string, max: number, waitMs: number, what: string): GraphQLError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000))
  return new GraphQLError(`${what} Try again in ${retryAfter} s.`, {
    extensions: {
      code: 'RATE_LIMITED',
      limit,
      max,
      retryAfter,
      http: {
        status: ERROR_CODES.RATE_LIMITED.httpStatus,
        headers: new HeaderMap([['retry-after', String(retryAfter)]]),
      },
    },
  })
}

/** A count for people. */
export function formatCount(count: number): string {
  return count > MAX_SHOWN ? `more than ${MAX_SHOWN.toLocaleString('en')}` : count.toLocaleString('en')
}
