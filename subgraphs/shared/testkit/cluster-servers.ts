import { join } from 'node:path'
import { startMariaDb } from '../embedded/mariadb.ts'
import { startRedis } from '../embedded/redis.ts'
import { type Mysql, openMysql } from '../mysql/open-mysql.ts'
import { openTestDatabase } from './open-test-database.ts'
import { openTestRedis } from './open-test-redis.ts'

/** Servers of a cluster that can be its own. */
export const CLUSTER_SERVERS = ['mariadb', 'live-redis', 'ingest-redis'] as const

/** Server that can be a cluster's own. */
export type ClusterServer = (typeof CLUSTER_SERVERS)[number]

/** Where the servers of a cluster are; those of its own can be killed. Dispose ends or empties them. */
export interface ClusterServers extends AsyncDisposable {
  readonly database: Mysql & { readonly url: string }
  readonly liveUrl: string
  readonly ingestUrl: string
  /** Ends a server of the cluster's own; resolves once it has ended. */
  kill(server: ClusterServer, signal: NodeJS.Signals): Promise<void>
  /** Starts a server that was killed, on its data and at its address. */
  start(server: ClusterServer): Promise<void>
}

interface Own {
  readonly url: string
  readonly pid: number
  close(): Promise<void>
}

/** Starts the servers that are to be a cluster's own, with data below `dataDir`; the others are the test run's. */
export async function openClusterServers(
  dataDir: string,
  own: readonly ClusterServer[],
): Promise<ClusterServers> {
  const running = new Map<ClusterServer, Own>()
  const starts: Record<ClusterServer, () => Promise<Own>> = {
    mariadb: () =>
      startMariaDb({ dataDir: join(dataDir, 'mariadb'), durability: 'crash', bufferPoolMiB: 64 }),
    'live-redis': () => startRedis({ dataDir: join(dataDir, 'live'), name: 'live', appendfsync: 'everysec' }),
    'ingest-redis': () =>
      startRedis({ dataDir: join(dataDir, 'ingest'), name: 'ingest', appendfsync: 'always' }),
  }
  const start = async (server: ClusterServer) => {
    running.set(server, await starts[server]())
  }
  const resources: AsyncDisposable[] = []
  const close = async () => {
    for (const resource of resources) await resource[Symbol.asyncDispose]()
    await Promise.all([...running.values()].map(server => server.close()))
  }

  async function openDatabase() {
    const url = running.get('mariadb')?.url
    if (url === undefined) {
      const database = await openTestDatabase({ isMigrated: false })
      resources.push(database)
      return database
    }
    const mysql = openMysql({ url })
    resources.push(mysql)
    return Object.assign(mysql, { url })
  }

  try {
    await Promise.all(own.map(start))
    const shared = await openTestRedis()
    resources.push(shared)
    return {
      database: await openDatabase(),
      liveUrl: running.get('live-redis')?.url ?? shared.liveUrl,
      ingestUrl: running.get('ingest-redis')?.url ?? shared.ingestUrl,
      start,
      async kill(server, signal) {
        const victim = running.get(server)
        if (victim === undefined)
          throw new TypeError(`Expected a cluster with a ${server} of its own that runs, got none.`)
        running.delete(server)
        process.kill(victim.pid, signal)
        await victim.close()
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
