import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMediaOff } from '../../../media/media-off.ts'
import { hasMediaWorker, startTestMedia } from '../../../media/testing/start-test-media.ts'
import { readSupergraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import { createDeviceAuthenticator } from '../../../subgraphs/device/device-authenticator.ts'
import { createDeviceDirectory } from '../../../subgraphs/device/device-directory.ts'
import { createDeviceSubgraph } from '../../../subgraphs/device/device-subgraph.ts'
import { requireStandingDevice } from '../../../subgraphs/device/standing-device.ts'
import { startTokenSuspects } from '../../../subgraphs/device/token-suspects.ts'
import { startClipResources } from '../../../subgraphs/events/clips/clip-part.ts'
import { createEventsRole } from '../../../subgraphs/events/events-role.ts'
import { createReportsRole } from '../../../subgraphs/reports/reports-role.ts'
import {
  createTokenSigner,
  createTokenVerifier,
  type TokenSigner,
} from '../../../subgraphs/shared/auth/access-token.ts'
import { startEndedSessions } from '../../../subgraphs/shared/auth/ended-sessions.ts'
import { followSigningKeys } from '../../../subgraphs/shared/auth/signing-keys.ts'
import { readConfig } from '../../../subgraphs/shared/config.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import { createLifecycle } from '../../../subgraphs/shared/lifecycle.ts'
import { createLivePublisher } from '../../../subgraphs/shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../../../subgraphs/shared/live-topic/live-reader.ts'
import type { LivePublisher } from '../../../subgraphs/shared/live-topic/live-topics.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import type { MediaPort } from '../../../subgraphs/shared/media-port.ts'
import { createMetrics } from '../../../subgraphs/shared/metrics.ts'
import { type Mysql, openMysql } from '../../../subgraphs/shared/mysql/open-mysql.ts'
import type { Site, Stores } from '../../../subgraphs/shared/site.ts'
import { startSiteRights } from '../../../subgraphs/shared/site-rights.ts'
import { createSiteStorage } from '../../../subgraphs/shared/storage/site-storage.ts'
import { openTestDatabase } from '../../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../../subgraphs/shared/testkit/wait-for.ts'
import type { TopologyChange } from '../../../subgraphs/shared/topology/topology-watch.ts'
import { startStreamingRole } from '../../../subgraphs/streaming/streaming-role.ts'
import { createGateway } from '../../create-gateway.ts'
import { startHttpServer } from '../../http-server.ts'
import { createInProcessSource } from '../../sources/in-process-source.ts'
import { startDoorRole } from '../../stomp/door-role.ts'

/** The site's secret. */
export const SITE_SECRET = 'a secret of a site that tests have'

/** The product in the test's own process, so that its statements can be counted. Dispose ends it and drops its data. */
export interface WholeProduct extends AsyncDisposable {
  readonly url: string
  /** Writes and reads past the product: its statements are not among `statements`. */
  readonly past: Mysql
  /** What the product has sent to the database since the list was last emptied. */
  readonly statements: string[]
  readonly redis: TestRedis
  readonly signer: TokenSigner
  readonly publisher: LivePublisher
  /** Off where the machine has no worker: see hasMediaWorker. */
  readonly media: MediaPort
  readonly subgraphs: readonly Subgraph[]
  /** Makes it forget the roles and the topology: rows have been written past it. */
  forget(): void
}

/**
 * Starts the gateway, the subgraphs, media and the door as main.ts does, on a database and Redis of their own: without mailer,
 * sweeps and ingest, which write on their own, without what is read by the clock, and without rate limits. For that the
 * gateway and the device subgraph are wired here; the others are their roles.
 */
export async function startWholeProduct(): Promise<WholeProduct> {
  const logger = createLogger({ level: 'silent', role: 'test' })
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const lifecycle = createLifecycle({ logger })
  const database = lifecycle.own('database', await openTestDatabase())
  const redis = lifecycle.own('redis', await openTestRedis())
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-whole-'))
  lifecycle.own('data folder', { [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true }) })
  const past = lifecycle.own('past', openMysql({ url: database.url, poolSize: 4 }))
  const { db } = database
  const refreshIntervalMs = 3_600_000

  const keys = lifecycle.own('signing keys', await followSigningKeys({ configured: null, dataDir, logger }))
  const site: Site = {
    config: readConfig({ NUVION_DATA: dataDir, NUVION_RETENTION_DAYS: '30' }),
    ...{ logger, metrics, lifecycle, keys },
    internalSecret: SITE_SECRET,
    instance: 'test',
  }
  const stores: Stores = {
    ...{ databaseUrl: database.url, redisUrl: redis.liveUrl, redisIngestUrl: redis.ingestUrl },
    ...{ pool: database.pool, db },
  }
  const signer = createTokenSigner({ keys })
  const verifier = createTokenVerifier({ keys })
  const reader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const liveReader = lifecycle.own('live reader', reader)
  const rights = startSiteRights(site, stores, { liveReader })
  const { access, watch } = rights
  const ended = lifecycle.own(
    'ended sessions',
    await startEndedSessions({ db, watch, logger, refreshIntervalMs }),
  )
  const suspects = lifecycle.own(
    'token suspects',
    startTokenSuspects({ db, watch, logger, refreshIntervalMs }),
  )
  const listeners = new Set<(change: TopologyChange) => void>()
  const topologyWatch = {
    onChange(listener: (change: TopologyChange) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const device = createDeviceSubgraph({
    db,
    live: redis.live,
    liveReader,
    topologyWatch,
    access,
    signer,
    secret: SITE_SECRET,
    logger,
  })
  const devices = createDeviceDirectory({ db, topologyWatch })
  const publisher = createLivePublisher({ redis: redis.live })
  let origin = ''
  const storage = createSiteStorage(site, () => origin)
  const clips = await startClipResources(site, stores, storage)
  const ports = { devices, livePublisher: publisher, live: redis.live, clips }
  const events = createEventsRole(site, stores, { liveReader }, rights, ports)
  const reports = createReportsRole(site, stores, rights, { devices })
  const media = hasMediaWorker
    ? lifecycle.own('media', await startTestMedia()).media
    : createMediaOff('There is no worker on this machine.')
  const streaming = await startStreamingRole(site, stores, { liveReader }, rights, { devices, media })
  const subgraphs = [device, events, reports, streaming.subgraph]
  const authenticator = createDeviceAuthenticator({ db, verifier, memory: { watch, suspects } })
  const gateway = await createGateway({
    supergraphSdl: readSupergraphSdl(),
    sources: subgraphs.map(subgraph => createInProcessSource(subgraph, { logger })),
    verifyAccessToken: async token =>
      requireStandingDevice(authenticator, token, ended.requireLive(await verifier.verify(token))),
    access,
    rights: watch,
    sessions: ended,
    logger,
    metrics,
  })
  lifecycle.own('gateway', gateway)
  const door = await startDoorRole(site, stores, rights, {
    startDeviceAuthenticator: () => authenticator,
    keptPresences: { list: async () => [] },
    clipDesk: clips.desk,
    broadcastDesk: streaming.broadcastDesk,
  })
  const routes = {
    graphql: gateway,
    stomp: door,
    paths: storage.paths,
    isReady: async () => true,
    readJwks: () => keys.jwks,
  }
  const server = lifecycle.own(
    'server',
    await startHttpServer({ port: 0, host: '127.0.0.1', routes, logger }),
  )
  origin = server.url
  await waitFor(() => !suspects.isSuspect({ deviceId: 'none', spaceId: 'none' }), { what: 'the suspects' })
  return {
    url: server.url,
    past,
    statements: database.statements,
    redis,
    signer,
    publisher,
    media,
    subgraphs,
    forget() {
      access.flush()
      for (const listener of listeners) listener({ kind: 'unknown' })
    },
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
