import { fileURLToPath } from 'node:url'
import { blame } from './blame.ts'
import { createDatabase } from './mysql/create-database.ts'
import { migrate } from './mysql/migrate.ts'
import { openMysql } from './mysql/open-mysql.ts'
import { watchPool } from './mysql/pool-metrics.ts'
import { probeRedis } from './redis/probe-redis.ts'
import type { Addresses, Site, Stores } from './site.ts'

const MIGRATIONS = fileURLToPath(new URL('../../schema/mysql/migrations', import.meta.url))

/**
 * Opens the database at its newest schema, and sees that both Redis answer. Rejects with the variable at fault.
 * `owner` is whose migration that was broken off may be taken over at once, see migrate.
 */
export async function openStores(
  { config, lifecycle, metrics }: Pick<Site, 'config' | 'lifecycle' | 'metrics'>,
  addresses: Addresses,
  owner?: string,
): Promise<Stores> {
  const { databaseUrl, redisUrl, redisIngestUrl } = addresses
  const mysql = lifecycle.own('database', openMysql({ url: databaseUrl, poolSize: config.databasePool }))
  watchPool(metrics, mysql.pool)
  await Promise.all([
    blame(
      'DATABASE_URL',
      createDatabase(databaseUrl).then(() => migrate({ pool: mysql.pool }, { dir: MIGRATIONS, owner })),
    ),
    blame('REDIS_URL', probeRedis(redisUrl)),
    blame('REDIS_INGEST_URL', probeRedis(redisIngestUrl)),
  ])
  return { ...addresses, pool: mysql.pool, db: mysql.db }
}
