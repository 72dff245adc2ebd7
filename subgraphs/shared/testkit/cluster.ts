import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SUBGRAPH_NAMES, type SubgraphName } from '../../../schema/graphql/subgraph-sdl.ts'
import type { Mysql } from '../mysql/open-mysql.ts'
import { CLUSTER_SERVERS, type ClusterServer, openClusterServers } from './cluster-servers.ts'
import { type Product, startProduct } from './product.ts'

/** Role of a process of the cluster, each in a process of its own. */
export type ClusterRole = SubgraphName | 'stomp' | 'ingest' | 'gateway' | 'worker'

/** What of a cluster can be killed: the process of a role or, if it is its own, a server. */
export type ClusterPart = ClusterRole | ClusterServer

/** One process a role but the worker, which is added, joined by MariaDB, Redis and HTTP. Dispose ends them all. */
export interface Cluster extends AsyncDisposable {
  /** Where people ask. */
  readonly gatewayUrl: string
  /** Where devices connect. */
  readonly doorUrl: string
  /** Process of a role that runs now, or ran last. */
  process(role: ClusterRole): Product
  /** Starts one more process of a role, whose leases are held by `instance`. It ends with the cluster. */
  add(role: ClusterRole, instance: string): Promise<Product>
  /** What all roles write to. */
  readonly database: Mysql & { readonly url: string }
  /** Address of the ingest log's Redis. */
  readonly ingestUrl: string
  /** Ends a part and waits until it has ended. Default signal: SIGKILL. */
  kill(part: ClusterPart, signal?: NodeJS.Signals): Promise<void>
  /** Starts a part that was killed, at the same address; a server on its data. */
  start(part: ClusterPart): Promise<void>
  /** Kills a part and starts it again. */
  restart(part: ClusterPart, signal?: NodeJS.Signals): Promise<void>
}

/** Starts one process a role with demo data. The servers are the test run's but for those that are named in `own`. */
export async function startCluster(
  env: Readonly<Record<string, string>> = {},
  { own = [] }: { own?: readonly ClusterServer[] } = {},
): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-cluster-'))
  const servers = await openClusterServers(dataDir, own)
  const processes = new Map<ClusterRole, Product>()
  const added: Product[] = []
  let subgraphUrls: Record<string, string> = {}

  const spawn = (role: ClusterRole, more: Record<string, string> = {}) =>
    startProduct({
      roles: [role],
      env: {
        NUVION_DATA: dataDir,
        DATABASE_URL: servers.database.url,
        REDIS_URL: servers.liveUrl,
        REDIS_INGEST_URL: servers.ingestUrl,
        HOST: '127.0.0.1',
        NUVION_DEMO: '1',
        NUVION_INSTANCE: role,
        ...env,
        ...more,
      },
    })
  const startRole = async (role: ClusterRole, more: Record<string, string> = {}) => {
    const product = await spawn(role, more)
    processes.set(role, product)
    return product
  }
  const process = (role: ClusterRole) => {
    const product = processes.get(role)
    if (product === undefined) throw new Error(`The cluster has no ${role}.`)
    return product
  }
  const kill = async (part: ClusterPart, signal: NodeJS.Signals = 'SIGKILL') => {
    if (isServer(part)) await servers.kill(part, signal)
    else await process(part).end(signal)
  }
  const start = async (part: ClusterPart) => {
    if (isServer(part)) return await servers.start(part)
    const { port } = new URL(process(part).url)
    await startRole(part, { PORT: port, ...(part === 'gateway' && subgraphUrls) })
  }
  const close = async () => {
    await Promise.all([...added, ...processes.values()].map(product => product[Symbol.asyncDispose]()))
    await servers[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }

  try {
    const [stomp, , ...subgraphs] = await Promise.all([
      startRole('stomp'),
      startRole('ingest'),
      ...SUBGRAPH_NAMES.map(name => startRole(name)),
    ])
    subgraphUrls = Object.fromEntries(
      SUBGRAPH_NAMES.map((name, i) => [`${name.toUpperCase()}_URL`, subgraphs[i]?.url ?? '']),
    )
    const gateway = await startRole('gateway', subgraphUrls)
    return {
      gatewayUrl: gateway.url,
      doorUrl: stomp.url,
      database: servers.database,
      ingestUrl: servers.ingestUrl,
      process,
      kill,
      start,
      async add(role, instance) {
        const product = await spawn(role, { NUVION_INSTANCE: instance })
        added.push(product)
        return product
      },
      async restart(part, signal) {
        await kill(part, signal)
        await start(part)
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function isServer(part: ClusterPart): part is ClusterServer {
  return CLUSTER_SERVERS.some(server => server === part)
}
