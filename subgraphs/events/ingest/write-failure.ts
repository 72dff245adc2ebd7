/** How a failed write is answered. */
export type WriteFailure =
  /** A row with this key exists. */
  | 'duplicate'
  /** Lost against another transaction: the same again. */
  | 'contention'
  /** An item that can never be written is among them. */
  | 'poison'
  /** May heal by itself: again after a pause, for ever. */
  | 'healing'

const ER_DUP_ENTRY = 1062

const CONTENTION_ERRNOS = new Set([
  1205, // ER_LOCK_WAIT_TIMEOUT
  1213, // ER_LOCK_DEADLOCK
  1020, // ER_CHECKREAD: MariaDB's snapshot isolation
])

const POISON_ERRNOS = new Set([
  1048, // ER_BAD_NULL_ERROR
  1264, // ER_WARN_DATA_OUT_OF_RANGE
  1265, // WARN_DATA_TRUNCATED
  1267, // ER_CANT_AGGREGATE_2COLLATIONS: text that the column's characters do not have
  1366, // ER_TRUNCATED_WRONG_VALUE_FOR_FIELD
  1406, // ER_DATA_TOO_LONG
  1526, // ER_NO_PARTITION_FOR_GIVEN_VALUE
  3140, // ER_INVALID_JSON_TEXT
  4025, // MariaDB's ER_CONSTRAINT_FAILED: its JSON columns check their text
])

/**
 * Tells what to do about an error of the writing transaction. Only the database's own word makes poison: data errors
 * by number or SQLSTATE class 22 and 23 (ISO 9075). Everything else may heal, a mistake in our code too: waiting loses
 * nothing, a dead letter might.
 */
export function classifyWriteFailure(error: unknown): WriteFailure {
  if (!(error instanceof Error) || !('errno' in error)) return 'healing'
  const errno = Number(error.errno)
  if (errno === ER_DUP_ENTRY) return 'duplicate'
  if (CONTENTION_ERRNOS.has(errno)) return 'contention'
  const sqlState = 'sqlState' in error ? String(error.sqlState) : ''
  if (POISON_ERRNOS.has(errno) || /^2[23]/.test(sqlState)) return 'poison'
  return 'healing'
}
