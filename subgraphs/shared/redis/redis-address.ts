/** Where a Redis server is, in the form ioredis takes. */
export interface RedisAddress {
  host?: string
  port?: number
  /** Path of a unix socket; host and port are then absent. */
  path?: string
  db: number
  username?: string
  password?: string
  tls?: Record<string, never>
}

/**
 * Reads `redis://user:password@host:port/db`, `rediss://…` (TLS), and `unix:///path/to.sock?db=N` or a bare absolute
 * path for a unix socket. Throws TypeError on anything else, without repeating the password.
 */
export function parseRedisUrl(url: string): RedisAddress {
  if (url.startsWith('/')) return { path: url, db: 0 }
  const parsed = URL.parse(url)
  if (parsed === null || !['redis:', 'rediss:', 'unix:'].includes(parsed.protocol)) {
    throw new TypeError('A Redis URL looks like redis://host:6379/0, rediss://… or unix:///path/to.sock?db=0')
  }
  const credentials = {
    ...(parsed.username === '' ? {} : { username: decodeURIComponent(parsed.username) }),
    ...(parsed.password === '' ? {} : { password: decodeURIComponent(parsed.password) }),
  }
  const db = readDatabase(parsed)
  if (parsed.protocol === 'unix:') return { path: decodeURIComponent(parsed.pathname), db, ...credentials }
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: parsed.port === '' ? 6379 : Number(parsed.port),
    db,
    ...credentials,
    ...(parsed.protocol === 'rediss:' ? { tls: {} } : {}),
  }
}

/** The same address with another database number. */
export function withRedisDatabase(url: string, db: number): string {
  if (url.startsWith('/')) return withRedisDatabase(`unix://${encodeURI(url)}`, db)
  const changed = new URL(url)
  if (changed.protocol === 'unix:') changed.searchParams.set('db', String(db))
  else changed.pathname = `/${db}`
  return changed.href
}

function readDatabase(url: URL): number {
  const text = url.searchParams.get('db') ?? (url.protocol === 'unix:' ? '' : url.pathname.slice(1))
  const db = text === '' ? 0 : Number(text)
  if (!Number.isInteger(db) || db < 0)
    throw new TypeError(`The Redis URL names the database ${text}, not a number`)
  return db
}
