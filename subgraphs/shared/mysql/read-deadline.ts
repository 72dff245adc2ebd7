import { type SQL, sql } from '../../../schema/mysql/drizzle.ts'
import { AppError } from '../errors.ts'

/** How long the database may read for one statement that people wait for. */
const MAX_READ_SECONDS = 3

/**
 * Begins a statement that MariaDB itself breaks off after MAX_READ_SECONDS, and SELECT_OF_DEADLINE its outermost SELECT,
 * for MySQL: each reads the half that is its own, and takes the other for a comment.
 */
export const STATEMENT_OF_DEADLINE = sql.raw(
  `/*M! SET STATEMENT max_statement_time=${MAX_READ_SECONDS} FOR */`,
)

/** See STATEMENT_OF_DEADLINE. */
export const SELECT_OF_DEADLINE = sql.raw(`SELECT /*+ MAX_EXECUTION_TIME(${MAX_READ_SECONDS}000) */`)

/** Begins a SELECT that the server itself breaks off after MAX_READ_SECONDS. */
export const SELECT_WITH_DEADLINE = selectWithin(MAX_READ_SECONDS)

/** Begins a SELECT that the server itself breaks off after so many whole seconds. */
export function selectWithin(seconds: number): SQL {
  return sql.raw(
    `/*M! SET STATEMENT max_statement_time=${seconds} FOR */ SELECT /*+ MAX_EXECUTION_TIME(${seconds}000) */`,
  )
}

/** What a list says that took too long. */
const NARROW_FILTER = 'narrow filter.from and filter.to, or what else the filter says.'

const BROKEN_OFF_ERRNOS = new Set([
  1969, // MariaDB's ER_STATEMENT_TIMEOUT
  3024, // MySQL's ER_QUERY_TIMEOUT
])

/**
 * Passes on what came of a statement that began with SELECT_WITH_DEADLINE, or with that of `seconds`; UNAVAILABLE when it
 * was broken off, with what to do about it.
 */
export async function tellDeadline<T>(
  work: Promise<T>,
  advice = NARROW_FILTER,
  seconds = MAX_READ_SECONDS,
): Promise<T> {
  return await work.catch(error => {
    throw isBrokenOff(error)
      ? new AppError('UNAVAILABLE', `Finding these takes more than ${seconds} s: ${advice}`, {
          cause: error,
        })
      : error
  })
}

/** The driver's error comes wrapped in Drizzle's. */
function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('errno' in error && BROKEN_OFF_ERRNOS.has(Number(error.errno))) || isBrokenOff(error.cause)
}
