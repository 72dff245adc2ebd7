import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import type { RetainedTable } from './retained-tables.ts'

/**
 * Deletes rows of one scope below a moment, about `maxRows` a time (of rows at one position all or none), and calls
 * `afterBatch` behind each with how many those were and how long they took. Each batch goes on where the former ended: what
 * was deleted is not read again, although the database still has to clear it away.
 */
export async function deleteRowsBefore(
  connection: Connection,
  table: RetainedTable,
  {
    key,
    before,
    maxRows,
    afterBatch,
  }: {
    key: readonly (string | number)[]
    /** Epoch milliseconds. */
    before: number
    maxRows: number
    afterBatch: (rowCount: number, tookMs: number) => Promise<void>
  },
): Promise<void> {
  const { name, scope, position, positionAt } = table
  const inScope = scope.map(column => `${column} = ?`).join(' AND ')
  const end = positionAt(before)
  for (let from: string | number = positionAt(0); ; ) {
    const startedAt = performance.now()
    const [found] = await connection.query<RowDataPacket[]>(
      `SELECT ${position} AS position FROM ${name} FORCE INDEX (PRIMARY)
       WHERE ${inScope} AND ${position} >= ? AND ${position} < ? ORDER BY ${position} LIMIT ?, 1`,
      [...key, from, end, maxRows - 1],
    )
    const last: string | number | undefined = found[0]?.position
    const [result] = await connection.query<ResultSetHeader>(
      `DELETE FROM ${name} WHERE ${inScope} AND ${position} >= ? AND ${position} ${last === undefined ? '<' : '<='} ?`,
      [...key, from, last ?? end],
    )
    await afterBatch(result.affectedRows, performance.now() - startedAt)
    if (last === undefined) return
    from = last
  }
}
