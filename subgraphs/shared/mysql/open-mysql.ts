import type { PoolConnection as RawConnection } from 'mysql2'
import { createPool, type Pool } from 'mysql2/promise'
import { drizzle, type MySql2Database } from '../../../schema/mysql/drizzle.ts'
import { observeStatements } from './connection-commands.ts'
import { createConnectionOptions, SESSION_SETUP_SQL } from './connection-options.ts'
import { boundPoolWait } from './pool-wait.ts'
import { enforceDeadline } from './statement-deadline.ts'

/** The Drizzle handle that repositories take as their first argument; a transaction of it fits too. */
export type Db = MySql2Database

export interface MysqlOptions {
  /** As parseMysqlUrl reads it. */
  url: string
  /** Upper bound of open connections. Default 10. */
  poolSize?: number
  /** Callers that may wait for a connection; the next one is refused. Default 1,000. */
  maxWaiting?: number
  /** How long a caller waits for a connection before it is refused. Default 5 s. */
  waitTimeoutMs?: number
  /** Default 5 s. */
  connectTimeoutMs?: number
  /** Deadline of a statement; past it the connection is broken. A statement's own `timeout` wins. Default 30 s. */
  statementTimeoutMs?: number
  /** Sees the text of every statement sent, through Drizzle, the pool or a connection of it: tests count with it. */
  onStatement?: (sql: string) => void
}

/** An open pool. Dispose lets running statements finish, then closes the connections. */
export interface Mysql {
  pool: Pool
  db: Db
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a bounded pool to a MySQL-compatible server. Connects on first use, so it does not throw when the server is
 * away; statements do. Sessions run in UTC with strict SQL modes. `affectedRows` counts the rows that matched, not
 * only those that changed.
 */
export function openMysql(options: MysqlOptions): Mysql {
  const { url, poolSize = 10, maxWaiting = 1_000, onStatement } = options
  const { waitTimeoutMs = 5_000, connectTimeoutMs = 5_000, statementTimeoutMs = 30_000 } = options
  const pool = createPool({
    ...createConnectionOptions(url, connectTimeoutMs),
    connectionLimit: poolSize,
    queueLimit: maxWaiting,
    waitForConnections: true,
  })
  boundPoolWait(pool.pool, waitTimeoutMs)
  pool.pool.on('connection', (connection: RawConnection) => {
    // The pool listens once; a broken connection may emit more than one error.
    connection.on('error', () => {})
    // It is the first in the connection's queue, so no statement can overtake it.
    connection.query(SESSION_SETUP_SQL, error => {
      if (error) connection.destroy()
    })
    observeStatements(connection, command => {
      enforceDeadline(connection, command, statementTimeoutMs)
      onStatement?.(command.sql ?? '')
    })
  })
  let closing: Promise<void> | undefined
  return {
    pool,
    db: drizzle(pool),
    [Symbol.asyncDispose]() {
      closing ??= pool.end()
      return closing
    },
  }
}
