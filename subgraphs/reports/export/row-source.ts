import type { Pool, PoolConnection } from 'mysql2/promise'
import type { EventRow, ReadRows } from './event-reader.ts'

/**
 * Creates what runs the statements of one export, each on a connection of the pool for as long as it takes. When
 * `signal` aborts, the running statement is killed on the server and rejects, and no other begins.
 */
export function createRowSource(pool: Pool, signal: AbortSignal): ReadRows {
  return async (sql, values) => {
    signal.throwIfAborted()
    const connection = await pool.getConnection()
    const kill = () => killStatement(pool, connection)
    signal.addEventListener('abort', kill, { once: true })
    try {
      signal.throwIfAborted()
      const [rows] = await connection.query({
        sql,
        values: [...values],
        rowsAsArray: true,
        dateStrings: true,
      })
      return rows as unknown as EventRow[]
    } finally {
      signal.removeEventListener('abort', kill)
      // One that is being killed must not be somebody else's when that arrives.
      if (signal.aborted) connection.destroy()
      else connection.release()
    }
  }
}

/** The server goes on with the statement of a connection that is only closed. */
function killStatement(pool: Pool, connection: PoolConnection): void {
  // One that has ended meanwhile cannot be killed, and need not.
  pool.query(`KILL QUERY ${connection.threadId}`).catch(() => {})
}
