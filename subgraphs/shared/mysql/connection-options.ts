import type { ConnectionOptions } from 'mysql2/promise'
import { parseMysqlUrl } from './mysql-address.ts'

/**
 * What every connection to the database has in common: UTC both ways, utf8mb4, keep-alive, one statement a call
 * (a second one smuggled into a value stays text), no files read from this side.
 */
export function createConnectionOptions(url: string, connectTimeoutMs: number): ConnectionOptions {
  const { host, port, socketPath, user, password, database, tls } = parseMysqlUrl(url)
  return {
    ...(socketPath === undefined ? { host, port } : { socketPath }),
    user,
    password,
    database,
    ...(tls ? { ssl: {} } : {}),
    connectTimeout: connectTimeoutMs,
    timezone: 'Z',
    charset: 'utf8mb4_unicode_ci',
    multipleStatements: false,
    supportBigNumbers: true,
    // JSON is read where it is used: the driver would turn large numbers in it into text.
    jsonStrings: true,
    enableKeepAlive: true,
    flags: ['-LOCAL_FILES'],
  }
}

/**
 * The first statement on each connection: the server's clock functions in UTC, and an error instead of a clipped or
 * invented value, whatever the server's own configuration says.
 */
export const SESSION_SETUP_SQL =
  "SET time_zone = '+00:00', " +
  "sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,NO_ZERO_DATE,NO_ZERO_IN_DATE'"
