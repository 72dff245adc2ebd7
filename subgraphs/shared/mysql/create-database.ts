import { createConnection } from 'mysql2/promise'
import { createConnectionOptions } from './connection-options.ts'
import { parseMysqlUrl } from './mysql-address.ts'

const CONNECT_TIMEOUT_MS = 5_000
const CREATE_TIMEOUT_MS = 30_000

/** MySQL's and MariaDB's "unknown database". */
const ER_BAD_DB_ERROR = 1049

/**
 * Creates the database that the URL names if it is missing; true when it did. An account without the right to create
 * databases does no harm as long as the database exists. Rejects with the server's error otherwise.
 */
export async function createDatabase(url: string): Promise<boolean> {
  const { database } = parseMysqlUrl(url)
  const options = createConnectionOptions(url, CONNECT_TIMEOUT_MS)
  try {
    const connection = await createConnection(options)
    connection.destroy()
    return false
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error && error.errno === ER_BAD_DB_ERROR)) throw error
  }
  const connection = await createConnection({ ...options, database: undefined })
  connection.on('error', () => {})
  try {
    const name = `\`${database.replaceAll('`', '``')}\``
    const sql = `CREATE DATABASE IF NOT EXISTS ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`
    await connection.query({ sql, timeout: CREATE_TIMEOUT_MS })
    return true
  } finally {
    connection.destroy()
  }
}
