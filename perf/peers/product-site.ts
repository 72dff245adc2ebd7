import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair } from 'jose'
import { createTokenSigner } from '../../subgraphs/shared/auth/access-token.ts'
import { TOKEN_ALGORITHM } from '../../subgraphs/shared/auth/key-set.ts'
import { readSigningKeys } from '../../subgraphs/shared/auth/signing-keys.ts'
import { startMariaDb } from '../../subgraphs/shared/embedded/mariadb.ts'
import { type RedisServer, startRedis } from '../../subgraphs/shared/embedded/redis.ts'
import { createDatabase } from '../../subgraphs/shared/mysql/create-database.ts'
import { migrate } from '../../subgraphs/shared/mysql/migrate.ts'
import { withDatabase } from '../../subgraphs/shared/mysql/mysql-address.ts'
import { type Mysql, openMysql } from '../../subgraphs/shared/mysql/open-mysql.ts'
import { ensureWeekPartitions } from '../../subgraphs/shared/mysql/week-partitions.ts'
import { newId } from '../../subgraphs/shared/uuid-v7.ts'
import { makeScratchFolder } from '../runner/scratch-folder.ts'

/** Private servers as the embedded ones of the product are set, for processes of the product that are measured. */
export interface ProductSite extends AsyncDisposable {
  readonly ingestRedis: RedisServer
  /** Makes an empty database of the product, with its tables and the partitions of its weeks. */
  createDatabase(name: string): Promise<SiteDatabase>
  /** Signs a person in. */
  signIn(userId: string): Promise<string>
}

/** One database of a site. Dispose closes the pool alone. */
export interface SiteDatabase extends Mysql {
  /** Environment of a process of the product that works on it. */
  readonly env: Readonly<Record<string, string>>
}

export interface ProductSiteOptions {
  /** Part of the folder's name. */
  readonly name: string
  /** As startMariaDb takes it. Default `power-loss`, as embedded. */
  readonly durability?: 'power-loss' | 'crash'
}

const MIGRATIONS = fileURLToPath(new URL('../../schema/mysql/migrations', import.meta.url))

/** Starts MariaDB and both Redis in a folder of their own. Dispose ends them and removes it. */
export async function openProductSite({ name, durability }: ProductSiteOptions): Promise<ProductSite> {
  const folder = await makeScratchFolder(name)
  const dir = folder.path
  const [mariaDb, liveRedis, ingestRedis] = await Promise.all([
    startMariaDb({ dataDir: join(dir, 'mariadb'), durability }),
    startRedis({ dataDir: join(dir, 'live'), name: 'live', appendfsync: 'everysec' }),
    startRedis({ dataDir: join(dir, 'ingest'), name: 'ingest', appendfsync: 'always' }),
  ])
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const signingKeys = JSON.stringify({ keys: [await exportJWK(privateKey)] })
  const signer = createTokenSigner({ keys: await readSigningKeys({ configured: signingKeys, dataDir: dir }) })
  let databases = 0
  return {
    ingestRedis,
    async createDatabase(database) {
      const url = withDatabase(mariaDb.url, database)
      await createDatabase(url)
      await migrate({ url }, { dir: MIGRATIONS })
      const mysql = openMysql({ url, statementTimeoutMs: 120_000 })
      await ensureWeekPartitions(mysql.pool)
      const number = databases++
      const env = {
        DATABASE_URL: url,
        REDIS_URL: `${liveRedis.url}?db=${number}`,
        REDIS_INGEST_URL: `${ingestRedis.url}?db=${number}`,
        NUVION_DATA: join(dir, database),
        NUVION_SIGNING_KEYS: signingKeys,
        NUVION_INTERNAL_SECRET: newId(),
        NUVION_RATE_LIMIT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
      }
      return { ...mysql, env }
    },
    signIn: async userId => (await signer.signUser({ userId, sessionId: newId() })).token,
    async [Symbol.asyncDispose]() {
      await Promise.all([mariaDb.close(), liveRedis.close(), ingestRedis.close()])
      await folder[Symbol.asyncDispose]()
    },
  }
}
