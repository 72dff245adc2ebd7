import type { Pool, PoolConnection } from 'mysql2/promise'
import { drizzle } from '../../../schema/mysql/drizzle.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { EventRow, ReadRows } from './event-reader.ts'

/** What runs the statements of one export. Both reject when whoever wanted the rows is gone. */
export interface RowSource {
  readonly readRows: ReadRows
  /** Runs the one statement of a repository's function. */
  readSums<T>(read: (db: Db) => Promise<T>): Promise<T>
}

/**
 * Creates what runs the statements of one export, each on a connection of the pool for as long as it takes. When
 * `signal` aborts, the running statement is killed on the server and rejects, and no other begins.
 */
export function createRowSource(pool: Pool, signal: AbortSignal): RowSource {
  async function run<T>(work: (connection: PoolConnection) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const connection = await pool.getConnection()
    const kill = () => killStatement(pool, connection)
    signal.addEventListener('abort', kill, { once: true })
    try {
      signal.throwIfAborted()
      return await work(connection)
    } finally {
      signal.removeEventListener('abort', kill)
      // One that is being killed must not be somebody else's when that arrives.
      if (signal.aborted) connection.destroy()
      else connection.release()
    }
  }

  return {
    readRows: (sql, values) =>
      run(async connection => {
        const query = { sql, values: [...values], rowsAsArray: true, dateStrings: true }
        const [rows] = await connection.query(query)
        return rows as unknown as EventRow[]
      }),
    readSums: read => run(connection => read(drizzle(connection))),
  }
}

/** The server goes on with the statement of a connection that is only closed. */
function killStatement(pool: Pool, connection: PoolConnection): void {
  // One that has ended meanwhile cannot be killed, and need not.
  pool.query(`KILL QUERY ${connection.threadId}`).catch(() => {})
}
