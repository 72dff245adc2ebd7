import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { createMediaClient } from '../subgraphs/shared/media-client.ts'
import { type ClusterServers, openClusterServers } from '../subgraphs/shared/testkit/cluster-servers.ts'
import { startProduct } from '../subgraphs/shared/testkit/product.ts'
import { hasMediaWorker } from './testing/start-test-media.ts'

const secret = 'm'.repeat(32)
const logger = createLogger({ level: 'silent', role: 'test' })
const RTP = { kind: 'RTP', video: { codec: 'VP8' }, audio: null } as const

describe('the role media as a process of its own', () => {
  let dataDir: string
  let servers: ClusterServers

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'nuvion-media-'))
    servers = await openClusterServers(dataDir, [])
  })
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = (env: Record<string, string> = {}) =>
    startProduct({
      roles: ['media'],
      env: {
        NUVION_DATA: dataDir,
        DATABASE_URL: servers.database.url,
        REDIS_URL: servers.liveUrl,
        REDIS_INGEST_URL: servers.ingestUrl,
        HOST: '127.0.0.1',
        NUVION_INTERNAL_SECRET: secret,
        NUVION_MEDIA_LISTEN: '127.0.0.1',
        NUVION_MEDIA_WORKERS: '2',
        ...env,
      },
    })

  it.skipIf(!hasMediaWorker)('is ready, is called by other roles, and ends with its workers', async () => {
    await using product = await start({ NUVION_ANNOUNCED_ADDRESS: '203.0.113.7' })
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200)
    await using media = createMediaClient({ url: product.url, secret, logger })
    const { ingest } = await media.openBroadcast({ deviceId: 'd', broadcastId: 'b', ingest: RTP })
    expect(ingest).toMatchObject({ kind: 'RTP', video: { ip: '203.0.113.7', rtcpPort: expect.any(Number) } })
    const { transport } = await media.join({ deviceId: 'd', sessionId: 's' })
    expect(transport.iceCandidates).toHaveLength(2)
    expect(await product.end('SIGTERM')).toBe(0)
    expect(product.log()).not.toContain('left_open')
  })

  it('starts without a worker, says how to get one, and is not ready', async () => {
    await using product = await start({ MEDIASOUP_WORKER_BIN: join(dataDir, 'none') })
    expect(product.log()).toContain('`npm run setup -- media` gets it.')
    expect((await fetch(`${product.url}/readyz`)).status).toBe(503)
    await using media = createMediaClient({ url: product.url, secret, logger })
    expect(await media.findBroadcast({ deviceId: 'd' })).toBeNull()
    await expect(media.openBroadcast({ deviceId: 'd', broadcastId: 'b', ingest: RTP })).rejects.toMatchObject(
      {
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/npm run setup -- media/),
      },
    )
  })

  it.skipIf(!hasMediaWorker)(
    'does not start with an address of another machine, and names the setting',
    async () => {
      await expect(start({ NUVION_MEDIA_LISTEN: '192.0.2.1' })).rejects.toThrow(
        /NUVION_MEDIA_LISTEN: this machine/,
      )
    },
  )
})
