import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSupergraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import { createDeviceAuthenticator } from '../../../subgraphs/device/device-authenticator.ts'
import { createDeviceDirectory } from '../../../subgraphs/device/device-directory.ts'
import { createDeviceSubgraph } from '../../../subgraphs/device/device-subgraph.ts'
import { requireStandingDevice } from '../../../subgraphs/device/standing-device.ts'
import { startTokenSuspects } from '../../../subgraphs/device/token-suspects.ts'
import { createEventsSubgraph } from '../../../subgraphs/events/events-subgraph.ts'
import {
  createTokenSigner,
  createTokenVerifier,
  type TokenSigner,
} from '../../../subgraphs/shared/auth/access-token.ts'
import { startEndedSessions } from '../../../subgraphs/shared/auth/ended-sessions.ts'
import { readSigningKeys } from '../../../subgraphs/shared/auth/signing-keys.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import { createLifecycle } from '../../../subgraphs/shared/lifecycle.ts'
import { createLivePublisher } from '../../../subgraphs/shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../../../subgraphs/shared/live-topic/live-reader.ts'
import type { LivePublisher } from '../../../subgraphs/shared/live-topic/live-topics.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../../subgraphs/shared/metrics.ts'
import { type Mysql, openMysql } from '../../../subgraphs/shared/mysql/open-mysql.ts'
import { startRightsWatch } from '../../../subgraphs/shared/permissions/rights-watch.ts'
import { createSpaceAccess } from '../../../subgraphs/shared/permissions/space-access.ts'
import { openTestDatabase } from '../../../subgraphs/shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../../subgraphs/shared/testkit/wait-for.ts'
import type { TopologyChange } from '../../../subgraphs/shared/topology/topology-watch.ts'
import { createGateway } from '../../create-gateway.ts'
import { startHttpServer } from '../../http-server.ts'
import { createInProcessSource } from '../../sources/in-process-source.ts'
import { createStompDoor } from '../../stomp/door.ts'
import { openDoorBacking } from '../../stomp/door-backing.ts'
import { DEFAULT_DOOR_LIMITS } from '../../stomp/door-limits.ts'

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
  readonly subgraphs: readonly Subgraph[]
  /** Makes it forget the roles and the topology: rows have been written past it. */
  forget(): void
}

/**
 * Starts the gateway, both subgraphs and the door as main.ts wires them, on a database and Redis of their own: without
 * mailer, sweeps and ingest, which write on their own, without what is read by the clock, and without rate limits.
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

  const keys = await readSigningKeys({ configured: null, dataDir })
  const signer = createTokenSigner({ keys })
  const verifier = createTokenVerifier({ keys })
  const reader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const liveReader = lifecycle.own('live reader', reader)
  const access = createSpaceAccess({ db })
  const watch = lifecycle.own('rights watch', startRightsWatch({ liveReader, access, logger }))
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
  const events = createEventsSubgraph({ db, liveReader, access, devices })
  const authenticator = createDeviceAuthenticator({ db, verifier, memory: { watch, suspects } })
  const gateway = await createGateway({
    supergraphSdl: readSupergraphSdl(),
    sources: [device, events].map(subgraph => createInProcessSource(subgraph, { logger })),
    verifyAccessToken: async token =>
      requireStandingDevice(authenticator, token, ended.requireLive(await verifier.verify(token))),
    access,
    rights: watch,
    sessions: ended,
    logger,
    metrics,
  })
  lifecycle.own('gateway', gateway)
  const { liveUrl, ingestUrl } = redis
  const backing = await openDoorBacking({ liveUrl, ingestUrl, logger, metrics })
  lifecycle.own('door backing', backing)
  const door = createStompDoor({
    ...backing,
    watch,
    authenticator,
    limits: { ...DEFAULT_DOOR_LIMITS, retentionMs: 30 * 24 * 60 * 60_000 },
    logger,
    metrics,
  })
  lifecycle.own('door', door)
  const routes = {
    graphql: gateway,
    stomp: door,
    isReady: async () => true,
    readJwks: () => keys.jwks,
  }
  const server = lifecycle.own(
    'server',
    await startHttpServer({ port: 0, host: '127.0.0.1', routes, logger }),
  )
  await waitFor(() => !suspects.isSuspect({ deviceId: 'none', spaceId: 'none' }), { what: 'the suspects' })
  return {
    url: server.url,
    past,
    statements: database.statements,
    redis,
    signer,
    publisher: createLivePublisher({ redis: redis.live }),
    subgraphs: [device, events],
    forget() {
      access.flush()
      for (const listener of listeners) listener({ kind: 'unknown' })
    },
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
