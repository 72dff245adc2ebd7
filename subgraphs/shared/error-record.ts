import { stdSerializers } from 'pino'

/** Characters of a statement that are shown: a bulk has thousands of placeholders. */
const MAX_STATEMENT_LENGTH = 1_000

/**
 * What the log shows of an error: type, message and stack, those of its causes too, and its own properties. Of a failed
 * statement the text with its placeholders and never its values, which are codes, digests, hashes and addresses of
 * people; the error itself stays as it is.
 */
export function toErrorRecord(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { params: _params, sql: _sql, ...record } = stdSerializers.err(withoutValues(error))
  return record
}

function withoutValues(error: Error, depth = 0): Error {
  if (depth > 4) return error
  const query = 'params' in error && 'query' in error && typeof error.query === 'string' ? error.query : null
  const cause = error.cause instanceof Error ? withoutValues(error.cause, depth + 1) : error.cause
  if (query === null && cause === error.cause) return error
  const statement = query === null ? null : shorten(query)
  const message = statement === null ? error.message : `Failed query: ${statement}`
  const stack = error.stack?.replace(error.message, () => message)
  return Object.assign(Object.create(Object.getPrototypeOf(error)), error, {
    message,
    stack,
    cause,
    ...(statement !== null && { query: statement, params: undefined }),
  })
}

function shorten(statement: string): string {
  return statement.length > MAX_STATEMENT_LENGTH ? `${statement.slice(0, MAX_STATEMENT_LENGTH)}…` : statement
}
