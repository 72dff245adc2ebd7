import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startMariaDb } from '../embedded/mariadb.ts'
import { startRedis } from '../embedded/redis.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'

/** Delay before a server that ended by itself is started again, in milliseconds. */
const RESTART_DELAY_MS = 200

/** Addresses of the private servers, as openMysql and openRedis take them. */
export interface EmbeddedAddresses {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly redisIngestUrl: string
}

/** The private servers. Disposing waits for those that are starting, and ends them all. */
export interface EmbeddedServices extends Closable {
  /** Resolves when all of them answer. Rejects when one of them cannot start. */
  readonly ready: Promise<EmbeddedAddresses>
}

/** What the embedded services need. */
export interface EmbeddedServicesOptions {
  /** Folder that holds the data of all three; made when missing. */
  readonly dataDir: string
  /** `small` keeps their caches small. */
  readonly isSmall: boolean
  readonly logger: Logger
  /** Told about long steps, one sentence each. */
  readonly print: (message: string) => void
  /** Told when a server ended and could not be brought back where it was: nothing works from here on. */
  readonly onFailure: (error: Error) => void
}

/**
 * Starts a private MariaDB and two private Redis, for what is live (everysec) and for the ingest log (always), and
 * keeps them running: one that ends by itself is started again at the same address. Returns at once.
 */
export function startEmbeddedServices(options: EmbeddedServicesOptions): EmbeddedServices {
  const { dataDir, isSmall, print } = options
  const starting = Promise.allSettled([
    keepRunning(options, onDeath =>
      startMariaDb({
        dataDir: join(dataDir, 'mariadb'),
        bufferPoolMiB: isSmall ? 64 : 256,
        log: print,
        onDeath,
      }),
    ),
    keepRunning(options, onDeath =>
      startRedis({
        dataDir: join(dataDir, 'redis-live'),
        name: 'live',
        appendfsync: 'everysec',
        log: print,
        onDeath,
      }),
    ),
    keepRunning(options, onDeath =>
      startRedis({
        dataDir: join(dataDir, 'redis-ingest'),
        name: 'ingest',
        appendfsync: 'always',
        log: print,
        onDeath,
      }),
    ),
  ])
  async function findAddresses(): Promise<EmbeddedAddresses> {
    const [mariadb, live, ingest] = await starting
    if (mariadb.status === 'rejected') throw mariadb.reason
    if (live.status === 'rejected') throw live.reason
    if (ingest.status === 'rejected') throw ingest.reason
    return { databaseUrl: mariadb.value.url, redisUrl: live.value.url, redisIngestUrl: ingest.value.url }
  }

  const ready = findAddresses()
  ready.catch(() => {})
  return {
    ready,
    async [Symbol.asyncDispose]() {
      const started = await starting
      await Promise.all(started.map(s => s.status === 'fulfilled' && s.value[Symbol.asyncDispose]()))
    },
  }
}

type Server = Closable & { readonly url: string }

async function keepRunning(
  { logger, onFailure }: EmbeddedServicesOptions,
  start: (onDeath: (death: { name: string; logTail: string }) => void) => Promise<Server>,
): Promise<Server> {
  let isClosing = false
  let restarting: Promise<void> = Promise.resolve()

  async function restart(): Promise<void> {
    await delay(RESTART_DELAY_MS)
    if (isClosing) return
    const next = await start(onDeath)
    if (next.url !== current.url) throw new Error(`${next.url} is not where it was before.`)
    current = next
  }

  function onDeath(death: { name: string; logTail: string }): void {
    logger.error(death, 'embedded.server_ended')
    restarting = restart().catch(error =>
      onFailure(new Error(`${death.name} cannot be brought back`, { cause: error })),
    )
  }

  let current = await start(onDeath)
  return {
    url: current.url,
    async [Symbol.asyncDispose]() {
      isClosing = true
      await restarting
      await current[Symbol.asyncDispose]()
    },
  }
}
