import { Redis } from 'ioredis'
import { createConnection } from 'mysql2/promise'

/** One store whose counters can be read. */
export interface StoreClient {
  read(): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

const ANSWER_DEADLINE_MS = 5_000

/** Connects to a MariaDB or a Redis, by the protocol of its address. */
export async function createClient(url: string): Promise<StoreClient> {
  return /^(mysql|mariadb):/.test(url) ? await openDatabase(url) : openRedis(url)
}

async function openDatabase(url: string): Promise<StoreClient> {
  const address = new URL(url)
  const socketPath = address.searchParams.get('socketPath')
  const connection = await createConnection({
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    database: address.pathname.slice(1),
    connectTimeout: ANSWER_DEADLINE_MS,
    ...(socketPath === null
      ? { host: address.hostname, port: Number(address.port || 3306) }
      : { socketPath }),
  })
  connection.on('error', () => {})
  return {
    async read() {
      const sql = 'SHOW GLOBAL STATUS'
      const [rows] = await connection.query({ sql, timeout: ANSWER_DEADLINE_MS })
      return new Map(
        (rows as { Variable_name: string; Value: string }[]).map(row => [row.Variable_name, row.Value]),
      )
    },
    async close() {
      connection.destroy()
    },
  }
}

function openRedis(url: string): StoreClient {
  const options = { maxRetriesPerRequest: 1, commandTimeout: ANSWER_DEADLINE_MS, enableReadyCheck: false }
  const redis = url.startsWith('unix:')
    ? new Redis({ path: decodeURI(url.slice('unix://'.length)), ...options })
    : new Redis(url, options)
  redis.on('error', () => {})
  return {
    async read() {
      const info = await redis.info()
      return new Map(
        info.split(/\r?\n/).flatMap(line => {
          const colon = line.indexOf(':')
          return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : []
        }),
      )
    },
    async close() {
      redis.disconnect()
    },
  }
}
