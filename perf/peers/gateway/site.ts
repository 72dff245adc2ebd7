import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair } from 'jose'
import { createTokenSigner } from '../../../subgraphs/shared/auth/access-token.ts'
import { TOKEN_ALGORITHM } from '../../../subgraphs/shared/auth/key-set.ts'
import { readSigningKeys } from '../../../subgraphs/shared/auth/signing-keys.ts'
import { startMariaDb } from '../../../subgraphs/shared/embedded/mariadb.ts'
import { startRedis } from '../../../subgraphs/shared/embedded/redis.ts'
import { migrate } from '../../../subgraphs/shared/mysql/migrate.ts'
import { openMysql } from '../../../subgraphs/shared/mysql/open-mysql.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { runPeer } from '../peer-program.ts'
import { type FixtureRows, makeFixtureRows } from './fixture-rows.ts'

/** What all contestants share: the rows, where they are, and who asks. */
export interface Site {
  /** The moment that makes the rows. */
  readonly nowMs: number
  readonly databaseUrl: string
  readonly redisUrl: string
  /** JWK set with its private key, made for this run. */
  readonly signingKeys: string
  /** Secret between the gateway and its subgraphs. */
  readonly internalSecret: string
  /** An access token for each user. */
  readonly tokens: readonly string[]
  /** The operation that is measured: its body as a client sends it. */
  readonly body: string
}

/** 50 logs with the names of their devices: a fetch from events, then one from device. */
const QUERY = `query Logs($spaceId: ID!, $first: Int) {
  logs(spaceId: $spaceId, first: $first) {
    nodes { id level message occurredAt device { id name } }
    pageInfo { hasNextPage endCursor }
  }
}`

const PAGE_SIZE = 50
const ROWS_PER_INSERT = 1_000

await runPeer<object, Site>(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-perf-site-'))
  const [mariaDb, redis] = await Promise.all([
    startMariaDb({ dataDir: join(dir, 'mariadb') }),
    startRedis({ dataDir: join(dir, 'redis'), name: 'live', appendfsync: 'everysec' }),
  ])
  const nowMs = Date.now()
  const rows = makeFixtureRows(nowMs)
  await fillDatabase(mariaDb.url, rows)
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const signingKeys = JSON.stringify({ keys: [await exportJWK(privateKey)] })
  const keys = await readSigningKeys({ configured: signingKeys, dataDir: dir })
  const signer = createTokenSigner({ keys })
  const signed = await Promise.all(
    rows.userIds.map(userId => signer.signUser({ userId, sessionId: newId() })),
  )
  return {
    ready: {
      nowMs,
      databaseUrl: mariaDb.url,
      redisUrl: redis.url,
      signingKeys,
      internalSecret: newId(),
      tokens: signed.map(({ token }) => token),
      body: JSON.stringify({ query: QUERY, variables: { spaceId: rows.spaceId, first: PAGE_SIZE } }),
    },
    async close() {
      await Promise.all([mariaDb.close(), redis.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
})

async function fillDatabase(url: string, { spaceId, userIds, devices, logs }: FixtureRows): Promise<void> {
  await using mysql = openMysql({ url })
  const { pool } = mysql
  const migrations = fileURLToPath(new URL('../../../schema/mysql/migrations', import.meta.url))
  await migrate({ pool }, { dir: migrations })
  const now = new Date()
  await pool.query('INSERT INTO space (id, name, timezone, created_at) VALUES ?', [
    [[spaceId, 'North hall', 'UTC', now]],
  ])
  await pool.query('INSERT INTO membership (space_id, user_id, role, joined_at) VALUES ?', [
    userIds.map(userId => [spaceId, userId, 'VIEWER', now]),
  ])
  await pool.query('INSERT INTO device (id, space_id, code, name, created_at) VALUES ?', [
    devices.map(({ id, code, name }) => [id, spaceId, code, name, now]),
  ])
  for (let i = 0; i < logs.length; i += ROWS_PER_INSERT) {
    await pool.query(
      'INSERT INTO log (space_id, id, device_id, level, message, clock_replaced, received_at) VALUES ?',
      [
        logs
          .slice(i, i + ROWS_PER_INSERT)
          .map(log => [
            spaceId,
            log.id,
            log.deviceId,
            log.level,
            log.message,
            false,
            new Date(log.receivedAt),
          ]),
      ],
    )
  }
  await pool.query('ANALYZE TABLE space, membership, device, log')
}
