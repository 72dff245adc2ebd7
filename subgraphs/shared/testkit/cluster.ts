import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from './open-test-database.ts'
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
  /** Kills the process of a role with SIGKILL and starts another in its place. */
  killAndRestart(role: 'ingest'): Promise<void>
}

/** Starts one process a role with demo data, on a database and Redis of its own. */
export async function startCluster(env: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const database = await openTestDatabase({ isMigrated: false })
  const redis = await openTestRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-cluster-'))
  const processes = new Map<ClusterRole, Product>()

  const start = async (role: ClusterRole, more: Record<string, string> = {}) => {
    const product = await startProduct({
      roles: [role],
      env: {
        NUVION_DATA: dataDir,
        DATABASE_URL: database.url,
        REDIS_URL: redis.liveUrl,
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
    const gateway = await start('gateway', { DEVICE_URL: device.url, EVENTS_URL: events.url })
    return {
      gatewayUrl: gateway.url,
      doorUrl: stomp.url,
      process,
      async killAndRestart(role) {
        await process(role).end('SIGKILL')
        await start(role)
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
