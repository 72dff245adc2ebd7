import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RedisServer, startRedis } from '../embedded/redis.ts'
import { openTestDatabase, type TestDatabase } from './open-test-database.ts'
import { openTestRedis } from './open-test-redis.ts'
import { type Product, startProduct } from './product.ts'

/** Roles that a cluster of a test runs, each in a process of its own. */
const ROLES = ['device', 'events', 'stomp', 'ingest', 'gateway'] as const

/** Role of a process of the cluster. */
export type ClusterRole = (typeof ROLES)[number]

/** One process a role, joined by MariaDB, Redis and HTTP. Dispose ends them all. */
export interface Cluster extends AsyncDisposable {
  /** Where people ask. */
  readonly gatewayUrl: string
  /** Where devices connect. */
  readonly doorUrl: string
  /** Process of a role that runs now. */
  process(role: ClusterRole): Product
  /** What all roles write to. */
  readonly database: TestDatabase
  /** Ends the process of a role and starts another in its place, at the same address. Default signal: SIGKILL. */
  restart(role: ClusterRole, signal?: NodeJS.Signals): Promise<void>
  /** Kills the live Redis with SIGKILL and starts it again on its data. Only with `hasOwnRedis`. */
  restartRedis(): Promise<void>
}

/**
 * Starts one process a role with demo data, on a database and Redis of its own; `hasOwnRedis` makes the live Redis a
 * server of its own too, which can be killed.
 */
export async function startCluster(
  env: Readonly<Record<string, string>> = {},
  { hasOwnRedis = false }: { hasOwnRedis?: boolean } = {},
): Promise<Cluster> {
  const database = await openTestDatabase({ isMigrated: false })
  const redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-cluster-'))
  const processes = new Map<ClusterRole, Product>()
  const startLive = () =>
    startRedis({ dataDir: join(dataDir, 'live'), name: 'live', appendfsync: 'everysec' })
  let live: RedisServer | undefined = hasOwnRedis ? await startLive() : undefined
  const liveUrl = live?.url ?? redis.liveUrl
  let subgraphUrls: Record<string, string> = {}

  const start = async (role: ClusterRole, more: Record<string, string> = {}) => {
    const product = await startProduct({
      roles: [role],
      env: {
        NUVION_DATA: dataDir,
        DATABASE_URL: database.url,
        REDIS_URL: liveUrl,
        REDIS_INGEST_URL: redis.ingestUrl,
        HOST: '127.0.0.1',
        NUVION_DEMO: '1',
        NUVION_INSTANCE: role,
        ...env,
        ...more,
      },
    })
    processes.set(role, product)
    return product
  }
  const process = (role: ClusterRole) => {
    const product = processes.get(role)
    if (product === undefined) throw new Error(`The cluster has no ${role}.`)
    return product
  }
  const close = async () => {
    await Promise.all([...processes.values()].map(product => product[Symbol.asyncDispose]()))
    await live?.close()
    await redis[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    const [device, events, stomp] = await Promise.all([
      start('device'),
      start('events'),
      start('stomp'),
      start('ingest'),
    ])
    subgraphUrls = { DEVICE_URL: device.url, EVENTS_URL: events.url }
    const gateway = await start('gateway', subgraphUrls)
    return {
      gatewayUrl: gateway.url,
      doorUrl: stomp.url,
      process,
      database,
      async restart(role, signal = 'SIGKILL') {
        const { url } = process(role)
        await process(role).end(signal)
        await start(role, { PORT: new URL(url).port, ...(role === 'gateway' && subgraphUrls) })
      },
      async restartRedis() {
        if (live === undefined) throw new TypeError('Expected a cluster with a Redis of its own, got none.')
        globalThis.process.kill(live.pid, 'SIGKILL')
        await live.close()
        live = await startLive()
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
