import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Camera, hasFfmpeg, startCamera } from '../../media/testing/ffmpeg-camera.ts'
import {
  hasChromium,
  startBrowser,
  type TestBrowser,
  type TestPage,
} from '../../media/testing/start-browser.ts'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import type { IngestTarget } from '../../subgraphs/shared/broadcast-desk.ts'
import type { Ingest } from '../../subgraphs/shared/media-port.ts'
import { addMembers } from '../../subgraphs/shared/testkit/add-members.ts'
import { follow } from '../../subgraphs/shared/testkit/follow.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { openTestDatabase, type TestDatabase } from '../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type Product, startProduct } from '../../subgraphs/shared/testkit/product.ts'
import { connectStompDevice, type StompDevice } from '../../subgraphs/shared/testkit/stomp-device.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { type GraphqlMedia, openGraphqlMedia } from './testing/graphql-media.ts'

/** How processes are started, in order: the door's is first, the gateway's last. */
const SHAPES: [string, { roles: string[]; urlName?: string }[]][] = [
  ['in two processes', [{ roles: [] }]],
  [
    'a process for each role that video has to do with',
    [
      { roles: ['stomp'] },
      { roles: ['media'], urlName: 'MEDIA_URL' },
      { roles: ['streaming'], urlName: 'STREAMING_URL' },
      { roles: ['gateway', 'device', 'events', 'reports'] },
    ],
  ],
]

const canRun = hasMediaWorker && hasFfmpeg && hasChromium

describe.skipIf(!canRun).each(SHAPES)('live video through the product, %s', (_shape, starts) => {
  let database: TestDatabase
  let redis: TestRedis
  let product: { readonly url: string; readonly doorUrl: string }
  const processes: Product[] = []
  let browser: TestBrowser
  let page: TestPage
  let media: GraphqlMedia
  let device: StompDevice
  let credential: string
  let owner: string
  let viewer: { token: string; id: string }
  let spaceId: string
  let deviceId: string
  let dataDir: string
  let env: Record<string, string>
  const cameras: Camera[] = []

  beforeAll(async () => {
    database = await openTestDatabase()
    redis = await openTestRedis()
    dataDir = await mkdtemp(join(tmpdir(), 'nuvion-video-'))
    env = {
      ...{ NUVION_DATA: dataDir, NUVION_DEMO: '1', HOST: '127.0.0.1' },
      ...{
        NUVION_MEDIA_LISTEN: '127.0.0.1',
        NUVION_MEDIA_WORKERS: '1',
        NUVION_ANNOUNCED_ADDRESS: '127.0.0.1',
      },
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl },
    }
    for (const { roles, urlName } of starts) {
      const started = await startProduct({ roles, env })
      processes.push(started)
      if (urlName !== undefined) env[urlName] = started.url
    }
    const [door, front] = [processes[0], processes.at(-1)]
    product = { url: front?.url ?? '', doorUrl: door?.url ?? '' }
    const { url } = product
    owner = await signIn(url)
    const { spaces } = await ask<{ spaces: { nodes: { id: string }[] } }>('{ spaces { nodes { id } } }')
    spaceId = spaces.nodes[0]?.id ?? ''
    const { registerDevice } = await ask<{ registerDevice: { device: { id: string }; credential: string } }>(
      `mutation ($input: RegisterDeviceInput!) { registerDevice(input: $input) { device { id } credential } }`,
      { input: { spaceId, code: 'CAMERA', name: 'Camera' } },
    )
    deviceId = registerDevice.device.id
    credential = registerDevice.credential
    device = await connectStompDevice(product.doorUrl, { deviceId, credential })
    const [email = ''] = await addMembers(database.db, { spaceId, count: 1 })
    const token = await signIn(url, email)
    const { viewer: who } = await graphqlData<{ viewer: { id: string } }>(url, '{ viewer { id } }', { token })
    viewer = { token, id: who.id }
    media = openGraphqlMedia(url, token)
    browser = await startBrowser(media.port)
    page = await browser.openPage()
  }, 90_000)
  afterAll(async () => {
    await Promise.all(cameras.map(camera => camera.kill()))
    await browser?.[Symbol.asyncDispose]()
    await media?.[Symbol.asyncDispose]()
    await device?.[Symbol.asyncDispose]()
    for (const process of processes.reverse()) await process[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
    await database?.[Symbol.asyncDispose]()
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true })
  }, 60_000)

  const ask = <T>(query: string, variables: Record<string, unknown> = {}) =>
    graphqlData<T>(product.url, query, { token: owner, variables })

  /** Starts the uplink as a device does, by a message, and a camera that sends what was agreed. */
  async function film(): Promise<Camera> {
    const { ingest, errors } = (await device.ask('/app/broadcast/start', { kind: 'RTP', codec: 'VP8' })) as {
      ingest: IngestTarget
      errors?: unknown
    }
    expect(errors).toBeUndefined()
    const camera = startCamera({ kind: 'RTP', video: ingest, audio: null } as Ingest)
    cameras.push(camera)
    return camera
  }

  /** Frames that a viewer has decoded, once there are more of them than `above`. */
  async function framesAbove(name: string, above: number): Promise<number> {
    const sight = await waitFor(
      async () => {
        const seen = await page.look(name)
        return seen !== null && seen.width > 0 && seen.frames > above ? seen : null
      },
      { deadlineMs: 20_000, what: `a picture with more than ${above} frames` },
    )
    return sight.frames
  }

  it('is started by a device, seen in a browser, goes on with a restarted camera, and stops for who is removed', async () => {
    const changes = follow<{ broadcastChanged: { broadcasting: boolean; broadcast: { status: string } } }>(
      product.url,
      owner,
      `subscription ($spaceId: ID!) { broadcastChanged(spaceId: $spaceId) { name broadcasting broadcast { status viewerCount } } }`,
      { spaceId },
    )
    const camera = await film()
    const isStatus = (status: string) =>
      waitFor(async () => {
        const { device: found } = await ask<{ device: { broadcast: { status: string } | null } }>(
          'query ($id: ID!) { device(id: $id) { broadcasting broadcast { status viewerCount } } }',
          { id: deviceId },
        )
        return found.broadcast?.status === status
      })
    await isStatus('LIVE')
    await changes.first(
      ({ broadcastChanged: { broadcast, broadcasting } }) => broadcast.status === 'LIVE' && broadcasting,
    )

    await page.join({ deviceId, sessionId: 'first' })
    const frames = await framesAbove('first', 0)
    await framesAbove('first', frames + 5)
    expect(media.newsOf('first')[0]).toBe('SignalingSnapshot')

    // Sockets of the same viewer that ask the same begin with a snapshot each.
    const signaling = `subscription ($sessionId: ID!) { signaling(sessionId: $sessionId) { __typename ... on SignalingSnapshot { isConnected } } }`
    const sessionId = media.idOf('first')
    const others = [1, 2].map(() =>
      follow<{ signaling: { isConnected?: boolean } }>(product.url, viewer.token, signaling, { sessionId }),
    )
    for (const other of others) {
      await other.first(({ signaling: { isConnected } }) => isConnected === true)
      expect(other.messages[0]?.data.signaling.isConnected).toBe(true)
    }

    await camera.kill()
    await film()
    const before = await framesAbove('first', 0)
    await framesAbove('first', before + 10)
    expect(media.newsOf('first').join()).not.toMatch(/SessionEnded|complete/)

    await page.restartIce('first')
    await framesAbove('first', (await framesAbove('first', 0)) + 5)

    await ask(
      `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { userErrors { message } } }`,
      { input: { spaceId, userId: viewer.id } },
    )
    const removedAt = Date.now()
    await waitFor(() => media.newsOf('first').includes('SessionEnded RIGHTS_ENDED'))
    expect(Date.now() - removedAt).toBeLessThan(1_000)
    await waitFor(() => media.newsOf('first').includes('complete'))

    for (const other of others) await other[Symbol.asyncDispose]()
    await device.ask('/app/broadcast/stop', {})
    await changes.first(({ broadcastChanged: { broadcast } }) => broadcast.status === 'ENDED')
    const { device: gone } = await ask<{ device: object }>(
      'query ($id: ID!) { device(id: $id) { broadcasting broadcast { status } } }',
      { id: deviceId },
    )
    expect(gone).toEqual({ broadcasting: false, broadcast: null })
    await changes[Symbol.asyncDispose]()
  }, 90_000)

  it('is sent by a browser in the place of a camera, and seen by another', async () => {
    const { deviceToken } = await ask<{ deviceToken: { token: string } }>(
      'mutation ($input: DeviceTokenInput!) { deviceToken(input: $input) { token } }',
      { input: { deviceId, credential } },
    )
    const { token } = deviceToken
    await using sending = openGraphqlMedia(product.url, token)
    await using watching = openGraphqlMedia(product.url, owner)
    const { startBroadcast } = await graphqlData<{ startBroadcast: { userErrors: unknown[] } }>(
      product.url,
      'mutation ($input: StartBroadcastInput!) { startBroadcast(input: $input) { userErrors { message } } }',
      { token, variables: { input: { deviceId, kind: 'WEBRTC' } } },
    )
    expect(startBroadcast.userErrors).toEqual([])
    await using sender = await startBrowser(sending.port)
    await using receiver = await startBrowser(watching.port)
    const seen = await receiver.openPage()
    await seen.join({ deviceId, sessionId: 'early' })
    const camera = await sender.openPage()
    await camera.publish({ deviceId, sessionId: 'camera' })
    await waitFor(async () => ((await seen.look('early'))?.frames ?? 0) > 10, {
      deadlineMs: 20_000,
      what: 'a picture of the browser that sends',
    })
    await device.ask('/app/broadcast/stop', {})
    await waitFor(() => watching.newsOf('early').includes('SessionEnded BROADCAST_ENDED'))
    expect(watching.newsOf('early')).toContain('BroadcastEnded')
  }, 90_000)

  it.skipIf(starts.length === 1)(
    'tells its viewers when media is killed, and begins anew',
    async () => {
      await using watching = openGraphqlMedia(product.url, owner)
      await film()
      await watching.port.join({ deviceId, sessionId: 'lost' })
      await waitFor(() => watching.newsOf('lost').length > 0)
      const index = starts.findIndex(({ roles }) => roles.includes('media'))
      const killed = processes[index]
      await killed?.end('SIGKILL')
      const { port: PORT } = new URL(killed?.url ?? '')
      processes[index] = await startProduct({ roles: ['media'], env: { ...env, PORT } })
      await waitFor(() => watching.newsOf('lost').includes('SessionEnded CLOSING'), { deadlineMs: 15_000 })
      await waitFor(async () => {
        const { device: found } = await ask<{ device: { broadcast: unknown } }>(
          'query ($id: ID!) { device(id: $id) { broadcast { id } } }',
          { id: deviceId },
        )
        return found.broadcast === null
      })
      await film()
      await watching.port.join({ deviceId, sessionId: 'new' })
      await waitFor(() => watching.newsOf('new')[0] === 'SignalingSnapshot')
    },
    60_000,
  )

  it('refuses by messages what it refuses by mutations', async () => {
    expect(await device.ask('/app/broadcast/start', { kind: 'RTP', codec: 'H265' })).toEqual({
      destination: '/app/broadcast/start',
      errors: [{ index: 0, field: 'codec', reason: expect.stringMatching(/H265 is not supported/) }],
    })
  })
})
