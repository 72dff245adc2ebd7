import type { Redis } from 'ioredis'
import type { Pool } from 'mysql2/promise'
import type { FollowedSigningKeys } from './auth/signing-keys.ts'
import type { Config } from './config.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Db } from './mysql/open-mysql.ts'

/** What every role of a process has at hand. */
export interface Site {
  readonly config: Config
  readonly logger: Logger
  readonly metrics: Metrics
  /** Closes what the process has opened, newest first: a role gives it all that it starts. */
  readonly lifecycle: Lifecycle
  readonly keys: FollowedSigningKeys
  readonly internalSecret: string
  /** Names this process where leases are held. */
  readonly instance: string
}

/** Where the servers are. */
export interface Addresses {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly redisIngestUrl: string
}

/** The databases of a process, opened. */
export interface Stores extends Addresses {
  readonly pool: Pool
  readonly db: Db
}

/** Opens a connection to a Redis that ends with the process. `name` is in the logs and in Redis' list of clients. */
export async function openRedisOf(
  { lifecycle, logger }: Pick<Site, 'lifecycle' | 'logger'>,
  url: string,
  name: string,
): Promise<Redis> {
  // Whoever supervises processes has no need of it before they start.
  const { openRedis } = await import('./redis/open-redis.ts')
  const onError = (error: Error) => logger.warn({ err: error, name }, 'redis.connection_failed')
  return lifecycle.own(`redis ${name}`, openRedis({ url, name, onError })).redis
}
