import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair } from 'jose'
import { createSecret, digestSecret } from '../../../subgraphs/device/opaque-secret.ts'
import { createTokenSigner } from '../../../subgraphs/shared/auth/access-token.ts'
import { TOKEN_ALGORITHM } from '../../../subgraphs/shared/auth/key-set.ts'
import { readSigningKeys } from '../../../subgraphs/shared/auth/signing-keys.ts'
import { startMariaDb } from '../../../subgraphs/shared/embedded/mariadb.ts'
import { startRedis } from '../../../subgraphs/shared/embedded/redis.ts'
import { migrate } from '../../../subgraphs/shared/mysql/migrate.ts'
import { openMysql } from '../../../subgraphs/shared/mysql/open-mysql.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { runPeer } from '../peer-program.ts'

/** A device with both that lets it in. */
export interface SiteDevice {
  readonly deviceId: string
  readonly credential: string
  readonly token: string
}

/** A site with devices: its servers, and who is there. */
export interface PresenceSite {
  /** Environment of the product's processes. */
  readonly env: Readonly<Record<string, string>>
  readonly spaceId: string
  /** Access token of a viewer of the space. */
  readonly userToken: string
  /** JSON: SiteDevice[]. */
  readonly devicesFile: string
}

const ROWS_PER_INSERT = 1_000

await runPeer<{ devices: number }, PresenceSite>(async ({ devices: count }) => {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-perf-site-'))
  const [mariaDb, live, ingest] = await Promise.all([
    startMariaDb({ dataDir: join(dir, 'mariadb') }),
    startRedis({ dataDir: join(dir, 'live'), name: 'live', appendfsync: 'everysec' }),
    startRedis({ dataDir: join(dir, 'ingest'), name: 'ingest', appendfsync: 'always' }),
  ])
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const signingKeys = JSON.stringify({ keys: [await exportJWK(privateKey)] })
  const keys = await readSigningKeys({ configured: signingKeys, dataDir: dir })
  const signer = createTokenSigner({ keys })
  const [spaceId, userId] = [newId(), newId()]
  const devices: SiteDevice[] = []
  for (let i = 0; i < count; i++) {
    const deviceId = newId()
    const { token } = await signer.signDevice({ deviceId, spaceId })
    devices.push({ deviceId, credential: createSecret(), token })
  }
  await fillDatabase(mariaDb.url, { spaceId, userId, devices })
  const devicesFile = join(dir, 'devices.json')
  await writeFile(devicesFile, JSON.stringify(devices))
  return {
    ready: {
      env: {
        DATABASE_URL: mariaDb.url,
        REDIS_URL: live.url,
        REDIS_INGEST_URL: ingest.url,
        NUVION_DATA: dir,
        NUVION_SIGNING_KEYS: signingKeys,
        NUVION_INTERNAL_SECRET: newId(),
        NUVION_DEMO: '0',
        HOST: '127.0.0.1',
      },
      spaceId,
      userToken: (await signer.signUser({ userId, sessionId: newId() })).token,
      devicesFile,
    },
    async close() {
      await Promise.all([mariaDb.close(), live.close(), ingest.close()])
      await rm(dir, { recursive: true, force: true })
    },
  }
})

async function fillDatabase(
  url: string,
  { spaceId, userId, devices }: { spaceId: string; userId: string; devices: readonly SiteDevice[] },
): Promise<void> {
  await using mysql = openMysql({ url })
  const { pool } = mysql
  const migrations = fileURLToPath(new URL('../../../schema/mysql/migrations', import.meta.url))
  await migrate({ pool }, { dir: migrations })
  const now = new Date()
  await pool.query('INSERT INTO space (id, name, timezone, created_at) VALUES ?', [
    [[spaceId, 'North hall', 'UTC', now]],
  ])
  await pool.query('INSERT INTO membership (space_id, user_id, role, joined_at) VALUES ?', [
    [[spaceId, userId, 'VIEWER', now]],
  ])
  for (let from = 0; from < devices.length; from += ROWS_PER_INSERT) {
    const some = devices.slice(from, from + ROWS_PER_INSERT)
    await pool.query('INSERT INTO device (id, space_id, code, name, created_at) VALUES ?', [
      some.map(({ deviceId }) => [deviceId, spaceId, deviceId, 'Camera', now]),
    ])
    await pool.query('INSERT INTO device_credential (digest, device_id, created_at) VALUES ?', [
      some.map(({ deviceId, credential }) => [digestSecret(credential), deviceId, now]),
    ])
  }
}
