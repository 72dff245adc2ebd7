import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { createMediaClient } from '../subgraphs/shared/media-client.ts'
import { startMetricsServer } from '../subgraphs/shared/metrics-server.ts'
import { startProduct } from '../subgraphs/shared/testkit/product.ts'
import { waitFor } from '../subgraphs/shared/testkit/wait-for.ts'
import { hasMediaWorker } from './testing/start-test-media.ts'

const secret = 'm'.repeat(32)
const logger = createLogger({ level: 'silent', role: 'test' })
const RTP = { kind: 'RTP', video: { codec: 'VP8' }, audio: null } as const

describe('the role media as a process of its own, without a database', () => {
  let dataDir: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'nuvion-media-'))
  })
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = (env: Record<string, string> = {}) =>
    startProduct({
      roles: ['media'],
      env: {
        NUVION_DATA: dataDir,
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

  it.skipIf(!hasMediaWorker)('listens, logs and tells its metrics as other lone roles do', async () => {
    // Empty is unset: the defaults of these are what is looked at.
    const free = await startMetricsServer(0, async () => '')
    await free[Symbol.asyncDispose]()
    const METRICS_PORT = String(free.port)
    await using product = await start({ HOST: '', NUVION_MEDIA_LISTEN: '', METRICS_PORT })
    const { port } = new URL(product.url)
    // What listens on 127.0.0.1 alone does not answer at another address of this machine.
    expect((await fetch(`http://127.0.0.2:${port}/readyz`)).status).toBe(200)
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    expect(metrics).toMatch(/^nuvion_media_\w+/m)
    await waitFor(() => product.log().includes('"main.ready"'))
    await using media = createMediaClient({ url: product.url, secret, logger })
    const { ingest } = await media.openBroadcast({ deviceId: 'd', broadcastId: 'b', ingest: RTP })
    expect(ingest).toMatchObject({ video: { ip: expect.not.stringMatching(/^127\./) } })
    expect(await product.end('SIGTERM')).toBe(0)
    expect(product.log()).not.toContain('left_open')
  })

  it('starts without a worker, says how to get one, and is not ready', async () => {
    await using product = await start({ MEDIASOUP_WORKER_BIN: join(dataDir, 'none') })
    expect(product.log()).toContain('`npm run setup -- media` gets it.')
    expect((await fetch(`${product.url}/readyz`)).status).toBe(503)
    await using media = createMediaClient({ url: product.url, secret, logger })
    const off = { code: 'UNAVAILABLE', message: expect.stringMatching(/npm run setup -- media/) }
    await expect(media.findBroadcast({ deviceId: 'd' })).rejects.toMatchObject(off)
    const opening = media.openBroadcast({ deviceId: 'd', broadcastId: 'b', ingest: RTP })
    await expect(opening).rejects.toMatchObject(off)
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
