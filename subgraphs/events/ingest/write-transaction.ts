import type { Pool, PoolConnection } from 'mysql2/promise'

/** Seconds that a row lock is waited for before the transaction is tried again. */
const LOCK_WAIT_SECONDS = 5

/** Seconds after which MariaDB ends a transaction whose owner has stopped: its locks hold up the next owner. */
const IDLE_TRANSACTION_SECONDS = 10

const ER_UNKNOWN_SYSTEM_VARIABLE = 1193

/** A transaction; left without `commit()` it is rolled back. */
export interface WriteTransaction {
  readonly connection: PoolConnection
  commit(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Sessions that have been set up. */
const prepared = new WeakSet<object>()

/**
 * Begins a transaction on a connection of the pool. READ COMMITTED: it locks rows and no gaps between them, where people
 * and other writers insert, and reads what is committed by then.
 */
export async function openTransaction(pool: Pool): Promise<WriteTransaction> {
  const connection = await pool.getConnection()
  let isOpen = true
  try {
    await prepare(connection)
    // Of this transaction only: others use the session after it.
    await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED')
    await connection.beginTransaction()
  } catch (error) {
    connection.destroy()
    throw error
  }
  return {
    connection,
    async commit() {
      await connection.commit()
      isOpen = false
    },
    async [Symbol.asyncDispose]() {
      try {
        if (isOpen) await connection.rollback()
        connection.release()
      } catch {
        // A broken connection has rolled back on the server.
        connection.destroy()
      }
    },
  }
}

async function prepare(connection: PoolConnection): Promise<void> {
  const session = connection.connection
  if (prepared.has(session)) return
  await connection.query(`SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`)
  await connection
    .query(`SET SESSION idle_write_transaction_timeout = ${IDLE_TRANSACTION_SECONDS}`)
    .catch(error => {
      // MySQL has no such variable.
      if (error.errno !== ER_UNKNOWN_SYSTEM_VARIABLE) throw error
    })
  prepared.add(session)
}
