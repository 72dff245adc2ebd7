/** Where a MySQL-compatible server is and as whom to enter it. */
export interface MysqlAddress {
  host: string
  port: number
  /** Set when the server is reached over a unix socket; host and port are then not used. */
  socketPath?: string
  user: string
  password: string
  database: string
  /** True when the connection must be encrypted and the certificate verified (`?tls=true`). */
  tls: boolean
}

/**
 * Reads `mysql://user:password@host:port/database`, with `mariadb:` as another name for the scheme. Options in the
 * query: `socketPath` (percent-encoded path of a unix socket), `tls=true`. Throws TypeError on anything else, without
 * repeating the password.
 */
export function parseMysqlUrl(url: string): MysqlAddress {
  const parsed = URL.parse(url)
  if (parsed === null || !['mysql:', 'mariadb:'].includes(parsed.protocol)) {
    throw new TypeError('A database URL looks like mysql://user:password@host:3306/database')
  }
  const database = decodeURIComponent(parsed.pathname.slice(1))
  if (database === '' || database.includes('/')) {
    throw new TypeError(`The database URL names no database: mysql://…@${parsed.host}/<database>`)
  }
  for (const option of parsed.searchParams.keys()) {
    if (option !== 'socketPath' && option !== 'tls') {
      throw new TypeError(`The database URL has the unknown option ${option}; known are socketPath and tls`)
    }
  }
  const socketPath = parsed.searchParams.get('socketPath')
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    ...(socketPath === null ? {} : { socketPath }),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database,
    tls: parsed.searchParams.get('tls') === 'true',
  }
}

/** The same address with another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.href
}
