import { join } from 'node:path'
import type { Config } from '../shared/config.ts'
import { embeddedUrl } from '../shared/embedded/mariadb.ts'
import { findSocketPath } from '../shared/embedded/socket-path.ts'
import { type Mysql, openMysql } from '../shared/mysql/open-mysql.ts'

/** People wait for it, and can interrupt it. */
const STATEMENT_TIMEOUT_MS = 60 * 60_000

/**
 * Opens the database of the site: the configured one, else the embedded one of a running product. Throws when nothing
 * runs on NUVION_DATA.
 */
export function openOpsDatabase({ isEmbedded, databaseUrl, dataDir }: Config): Mysql {
  const socketPath = findSocketPath(join(dataDir, 'mariadb'), 'mariadb')
  const url = isEmbedded || databaseUrl === null ? socketPath && embeddedUrl(socketPath) : databaseUrl
  if (url === null)
    throw new Error(
      `Nothing runs on ${dataDir}: start the product, set NUVION_DATA to its folder, or set DATABASE_URL and REDIS_URL as for its roles.`,
    )
  return openMysql({ url, poolSize: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
}
