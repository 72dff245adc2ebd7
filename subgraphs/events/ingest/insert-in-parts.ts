import type { PoolConnection } from 'mysql2/promise'

/** Bytes of values about which an INSERT is divided; far below the smallest usual max_allowed_packet (16 MiB). */
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024

/**
 * Inserts rows with as few statements as their size allows, none when there are no rows. `VALUES ?` with `query` is the
 * fast form on MariaDB and MySQL both.
 *
 * @param head All of the statement before VALUES.
 * @param bytesOf About how many bytes a row's values take.
 * @param tail What follows the rows, such as ON DUPLICATE KEY UPDATE.
 */
export async function insertInParts(
  connection: PoolConnection,
  head: string,
  rows: readonly (readonly unknown[])[],
  bytesOf: (row: readonly unknown[], index: number) => number,
  tail = '',
): Promise<void> {
  const statement = `${head} VALUES ? ${tail}`
  let from = 0
  let bytes = 0
  for (const [index, row] of rows.entries()) {
    bytes += bytesOf(row, index)
    if (bytes < MAX_STATEMENT_BYTES && index < rows.length - 1) continue
    await connection.query(statement, [rows.slice(from, index + 1)])
    from = index + 1
    bytes = 0
  }
}
