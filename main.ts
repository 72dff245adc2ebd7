#!/usr/bin/env node
import { createHash, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Redis } from 'ioredis'
import type { Pool } from 'mysql2/promise'
import type { HttpRoutes } from './gateway/http-server.ts'
import { readSupergraphSdl, SUBGRAPH_NAMES } from './schema/graphql/subgraph-sdl.ts'
import type { MailTransport } from './subgraphs/device/mailer/mail-transport.ts'
import { readInternalSecret } from './subgraphs/shared/auth/internal-secret.ts'
import { type FollowedSigningKeys, followSigningKeys } from './subgraphs/shared/auth/signing-keys.ts'
import { type Config, readConfig } from './subgraphs/shared/config.ts'
import type { Subgraph } from './subgraphs/shared/graphql/subgraph.ts'
import { createLifecycle, type Lifecycle } from './subgraphs/shared/lifecycle.ts'
import { createLogger, type Logger } from './subgraphs/shared/logger.ts'
import { createMetrics, type Metrics } from './subgraphs/shared/metrics.ts'
import { startMetricsServer } from './subgraphs/shared/metrics-server.ts'
import type { Db } from './subgraphs/shared/mysql/open-mysql.ts'
import type { RightsWatch } from './subgraphs/shared/permissions/rights-watch.ts'
import { createReadiness } from './subgraphs/shared/readiness.ts'
import { openSupervised, type Supervised } from './subgraphs/shared/supervisor/supervised.ts'

/** Roles that one process may take, alone or together; `all` is every one of them in two processes. */
const ROLES = ['gateway', 'device', 'events', 'stomp', 'ingest', 'worker'] as const
type Role = (typeof ROLES)[number]
const FRONT_ROLES: readonly Role[] = ['gateway', 'device', 'events']
const BACK_ROLES: readonly Role[] = ['stomp', 'ingest', 'worker']

/** What every role of a process has at hand. */
interface Site {
  readonly config: Config
  readonly logger: Logger
  readonly metrics: Metrics
  readonly lifecycle: Lifecycle
  readonly keys: FollowedSigningKeys
  readonly internalSecret: string
  /** Names this process where leases are held. */
  readonly instance: string
}

/** Where the servers are. */
interface Addresses {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly redisIngestUrl: string
}

/** The databases of a process, opened. */
interface Stores extends Addresses {
  readonly pool: Pool
  readonly db: Db
}

type News = Awaited<ReturnType<typeof openNews>>
type Rights = Awaited<ReturnType<typeof openRights>>

// Apollo reads both when it is loaded; the roles that use it are imported later.
process.env.APOLLO_TELEMETRY_DISABLED ??= 'true'
process.env.NODE_ENV ??= 'production'
// Halves the time to load the roles from the second start on; NODE_COMPILE_CACHE, if set, says where.
enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/nuvion', import.meta.url)))
await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  let lifecycle: Lifecycle | undefined
  let stopping: AbortSignal | undefined
  try {
    const config = readConfig(process.env)
    const supervised = config.isSupervised ? openSupervised(process) : null
    const roles = parseRoles(args, config)
    const group = roles.length === ROLES.length ? 'all' : roles.join('+')
    const logger = createLogger({ level: config.logLevel, role: group })
    lifecycle = createLifecycle({ logger })
    stopping = stopOnSignals(lifecycle, logger, supervised)
    const isAll = args.length === 0 || args.includes('all')
    const site: Site = {
      config,
      logger,
      lifecycle,
      metrics: createMetrics({ group }),
      instance: config.instance ?? (isAll ? makeInstance(config) : randomUUID()),
      ...(await readSecrets(config, { logger, lifecycle })),
    }
    if (isAll) await runAll(site)
    else await runAlone(site, roles, supervised)
    flushCompileCache()
  } catch (error) {
    // What is told to stop while it starts fails to start, and that is no failure.
    if (stopping?.aborted) return
    console.error(describeError(error))
    await lifecycle?.[Symbol.asyncDispose]()
    process.exit(1)
  }
}

/** Everything on this machine: embedded servers unless one's own are given, two processes or one, and the demo. */
async function runAll(site: Site): Promise<void> {
  const { config, lifecycle, logger } = site
  const addresses = config.isEmbedded ? await startEmbedded(site) : getAddresses(config, 'all')
  if (config.isIngestRedisShared) {
    logger.warn(
      { text: 'The ingest log shares its Redis: give it its own by REDIS_INGEST_URL.' },
      'config.shared_redis',
    )
  }
  if (!config.isEmbedded) warnOfMail(site)
  const stores = await openStores(site, addresses, config.isEmbedded ? site.instance : undefined)
  const demo = config.isDemo ? await seedDemoData(site, stores.db) : []

  const url = config.isSmall ? await runInOneProcess(site, stores) : await runInTwoProcesses(site, addresses)
  if (config.isDemo) {
    const { startDemoFleet } = await import('./subgraphs/shared/demo/demo-fleet.ts')
    const door = `${url.replace('http', 'ws')}/stomp/websocket`
    lifecycle.own('demo fleet', startDemoFleet({ url: door, devices: demo, logger }))
  }
  console.log(describeReady(new URL(url).host, config))
}

async function runInOneProcess(site: Site, stores: Stores): Promise<string> {
  const { url } = await startRoles(site, ROLES, stores, null)
  await serveMetrics(site, () => site.metrics.metrics())
  return url
}

async function runInTwoProcesses(site: Site, addresses: Addresses): Promise<string> {
  const { config, lifecycle, logger, instance } = site
  const { superviseGroups } = await import('./subgraphs/shared/supervisor/supervise.ts')
  const groups = superviseGroups({
    program: fileURLToPath(import.meta.url),
    env: {
      ...process.env,
      DATABASE_URL: addresses.databaseUrl,
      REDIS_URL: addresses.redisUrl,
      REDIS_INGEST_URL: addresses.redisIngestUrl,
      HOST: config.host,
      LOG_LEVEL: config.logLevel,
      METRICS_PORT: '',
      NUVION_DEMO: '0',
      NUVION_INSTANCE: instance,
    },
    frontRoles: FRONT_ROLES,
    backRoles: BACK_ROLES,
    logger,
  })
  lifecycle.own('process groups', groups)
  const url = await groups.ready
  await serveMetrics(site, groups.collectMetrics)
  return url
}

/** The given roles in this process, as a supervisor's child or as a deployment of its own. */
async function runAlone(site: Site, roles: readonly Role[], supervised: Supervised | null): Promise<void> {
  const { config } = site
  if (supervised === null && roles.includes('device')) warnOfMail(site)
  const stores = await openStores(site, getAddresses(config, roles.join(' ')))
  if (config.isDemo && roles.includes('device')) await seedDemoData(site, stores.db)
  const { port, url } = await startRoles(site, roles, stores, supervised)
  supervised?.onCollectMetrics(() => site.metrics.getMetricsAsJSON())
  await serveMetrics(site, () => site.metrics.metrics())
  if (supervised === null) console.log(`${roles.join(' + ')} ready at ${url}`)
  else supervised.tell({ type: 'ready', port, url })
}

/** A site with a database of its own has people who wait for mail. */
function warnOfMail({ config, logger }: Site): void {
  if (config.smtp === null) {
    const text = 'Mail is written to files in NUVION_DATA/mail: set NUVION_SMTP_URL and NUVION_MAIL_FROM.'
    logger.warn({ text }, 'config.no_mail_server')
  }
  if (config.publicUrl === null) {
    logger.warn({ text: 'Links in mails lead to localhost: set NUVION_PUBLIC_URL.' }, 'config.no_public_url')
  }
}

/** Starts roles in this process behind one HTTP server. What each needs of another is wired here. */
async function startRoles(
  site: Site,
  roles: readonly Role[],
  stores: Stores,
  supervised: Supervised | null,
): Promise<{ port: number; url: string }> {
  const { config, lifecycle, logger, keys } = site
  const has = (role: Role) => roles.includes(role)
  const live = await openRedisOf(site, stores.redisUrl, 'readiness')
  const checks: (() => unknown)[] = [() => stores.pool.query('SELECT 1'), () => live.ping()]
  const readiness = createReadiness(checks)
  const routes: { -readonly [K in keyof HttpRoutes]: HttpRoutes[K] } = {
    isReady: () => readiness.isReady(),
    readJwks: () => keys.jwks,
  }
  if (has('stomp') || has('ingest')) {
    const log = await openRedisOf(site, stores.redisIngestUrl, 'readiness')
    checks.push(() => log.ping())
  }
  const { startHttpServer } = await import('./gateway/http-server.ts')

  const publicUrl = Promise.withResolvers<string>()
  const mailer = has('device')
    ? lifecycle.own('mailer', await openMailer(site, stores, publicUrl.promise))
    : null
  const news = await openNews(site, stores, live)
  const rights = roles.every(role => role === 'ingest') ? null : await openRights(site, stores, news)
  const subgraphs = rights === null ? [] : await createSubgraphs(site, roles, stores, rights, mailer?.nudge)
  if (has('gateway') && rights !== null) {
    const gateway = lifecycle.own('gateway', await openGateway(site, subgraphs, stores, rights))
    routes.graphql = gateway
    checks.push(() => gateway.ready())
  } else if (subgraphs[0] !== undefined) {
    const { createSubgraphServer } = await import('./subgraphs/shared/graphql/subgraph-server.ts')
    const secret = site.internalSecret
    routes.graphql = lifecycle.own(
      'subgraph',
      createSubgraphServer({ subgraph: subgraphs[0], secret, logger }),
    )
  }
  if (has('ingest')) {
    const ingest = lifecycle.own('ingest', await openIngest(site, stores, news))
    checks.push(() => ingest.isReady())
    await ingest.ready
  }
  if (has('worker')) await startWorker(site, stores)
  if (has('stomp') && rights !== null) {
    routes.stomp = lifecycle.own('stomp door', await openDoor(site, stores, rights))
  } else if (has('gateway') && supervised !== null) {
    const { createDoorHandoff } = await import('./subgraphs/shared/supervisor/door-handoff.ts')
    routes.stomp = lifecycle.own('door handoff', createDoorHandoff(supervised))
  }

  const listening = startHttpServer({ port: config.port, host: config.host, routes, logger })
  const server = lifecycle.own('http server', await blame('PORT or HOST', listening))
  supervised?.onSocket((head, socket) => server.adopt(head, socket))
  publicUrl.resolve(config.publicUrl ?? `http://localhost:${server.port}`)
  // Closed first, so that what is being sent ends while the rest drains.
  if (mailer !== null) lifecycle.own('mail intake', { [Symbol.asyncDispose]: async () => mailer.stop() })
  logger.info({ roles, url: server.url }, 'main.ready')
  return server
}

/** What a process hears of the others: one reader of live topics, and the changes of the topology. */
async function openNews({ lifecycle, logger }: Site, { redisUrl }: Stores, live: Redis) {
  const [{ startLiveReader }, { startTopologyWatch }] = await Promise.all([
    import('./subgraphs/shared/live-topic/live-reader.ts'),
    import('./subgraphs/shared/topology/topology-watch.ts'),
  ])
  const liveReader = lifecycle.own('live reader', startLiveReader({ url: redisUrl, redis: live, logger }))
  const topologyWatch = lifecycle.own('topology watch', startTopologyWatch({ liveReader, logger }))
  return { liveReader, topologyWatch }
}

/** Roles of people, and what changes them, as a process knows them: one lookup, one watch. */
async function openRights({ lifecycle, logger }: Site, { db }: Stores, news: News) {
  const [{ createSpaceAccess }, { startRightsWatch }] = await Promise.all([
    import('./subgraphs/shared/permissions/space-access.ts'),
    import('./subgraphs/shared/permissions/rights-watch.ts'),
  ])
  const access = createSpaceAccess({ db })
  const { liveReader } = news
  const watch = lifecycle.own('rights watch', startRightsWatch({ liveReader, access, logger }))
  return { ...news, access, watch }
}

/** The subgraphs among the roles. They share one lookup of roles and one of devices. */
async function createSubgraphs(
  site: Site,
  roles: readonly Role[],
  stores: Stores,
  { access, liveReader, topologyWatch }: Rights,
  nudgeMailer: (() => void) | undefined,
): Promise<Subgraph[]> {
  const { config, keys, lifecycle, logger, internalSecret: secret } = site
  const { db } = stores
  const live = await openRedisOf(site, stores.redisUrl, 'subgraphs')
  const subgraphs: Subgraph[] = []
  if (roles.includes('device')) {
    const { createDeviceSubgraph } = await import('./subgraphs/device/device-subgraph.ts')
    const { createTokenSigner } = await import('./subgraphs/shared/auth/access-token.ts')
    const { startAccountSweep } = await import('./subgraphs/device/account-sweep.ts')
    const { startSpaceSweep } = await import('./subgraphs/device/space-sweep.ts')
    const signer = createTokenSigner({ keys })
    lifecycle.own('account sweep', startAccountSweep({ db, logger }))
    lifecycle.own('space sweep', startSpaceSweep({ db, logger }))
    await startRotation(site)
    subgraphs.push(
      createDeviceSubgraph({
        db,
        live,
        liveReader,
        topologyWatch,
        access,
        signer,
        secret,
        nudgeMailer,
        spaceLimits: { maxRetentionDays: config.retentionDays },
        logger,
      }),
    )
  }
  if (roles.includes('events')) {
    const { createEventsSubgraph } = await import('./subgraphs/events/events-subgraph.ts')
    const { createDeviceDirectory } = await import('./subgraphs/device/device-directory.ts')
    const devices = createDeviceDirectory({ db, topologyWatch })
    subgraphs.push(createEventsSubgraph({ db, liveReader, access, devices }))
  }
  return subgraphs
}

/** The mailer, to an SMTP server or to files. */
async function openMailer({ config, logger, metrics }: Site, { db }: Stores, publicUrl: Promise<string>) {
  const { startMailer } = await import('./subgraphs/device/mailer/mailer.ts')
  const transport = await openMailTransport(config)
  return startMailer({ db, transport, publicUrl, logger, metrics })
}

async function openMailTransport({ smtp, mailFrom: from, dataDir }: Config): Promise<MailTransport> {
  if (smtp !== null) {
    const { createSmtpTransport } = await import('./subgraphs/device/mailer/smtp-transport.ts')
    return createSmtpTransport({ server: smtp, from })
  }
  const { createFileTransport } = await import('./subgraphs/device/mailer/file-transport.ts')
  return createFileTransport({ dir: join(dataDir, 'mail'), from, tell: line => console.log(line) })
}

/** The gateway over the subgraphs of this process and, for the others, those at DEVICE_URL and EVENTS_URL. */
async function openGateway(
  site: Site,
  subgraphs: readonly Subgraph[],
  { db, redisUrl }: Stores,
  { access, watch }: Rights,
) {
  const { config, logger, metrics, lifecycle, keys, internalSecret: secret } = site
  const [
    limits,
    { createGateway },
    { createInProcessSource },
    { createHttpSource },
    { createTokenVerifier },
    { startEndedSessions },
    { createDeviceAuthenticator },
    { requireStandingDevice },
    { startTokenSuspects },
  ] = await Promise.all([
    readGatewayLimits(config),
    import('./gateway/create-gateway.ts'),
    import('./gateway/sources/in-process-source.ts'),
    import('./gateway/sources/http-source.ts'),
    import('./subgraphs/shared/auth/access-token.ts'),
    import('./subgraphs/shared/auth/ended-sessions.ts'),
    import('./subgraphs/device/device-authenticator.ts'),
    import('./subgraphs/device/standing-device.ts'),
    import('./subgraphs/device/token-suspects.ts'),
  ])
  const sources = SUBGRAPH_NAMES.map(name => {
    const subgraph = subgraphs.find(one => one.name === name)
    if (subgraph !== undefined) return createInProcessSource(subgraph, { logger })
    return createHttpSource({ name, url: `${config.subgraphUrls[name]}/graphql`, secret, logger })
  })
  const verifier = createTokenVerifier({ keys })
  const ended = lifecycle.own('ended sessions', await startEndedSessions({ db, watch, logger }))
  const suspects = lifecycle.own('token suspects', startTokenSuspects({ db, watch, logger }))
  const devices = createDeviceAuthenticator({ db, verifier, memory: { watch, suspects } })
  return await createGateway({
    supergraphSdl: readSupergraphSdl(),
    sources,
    verifyAccessToken: async token =>
      requireStandingDevice(devices, token, ended.requireLive(await verifier.verify(token))),
    access,
    rights: watch,
    sessions: ended,
    tokenKeys: { onRemoved: keys.onRemoved, isInForce: verifier.isInForce },
    isProduction: config.isProduction,
    redis: await openRedisOf(site, redisUrl, 'gateway'),
    trustedProxies: config.trustedProxies,
    publicUrl: config.publicUrl,
    ...limits,
    logger,
    metrics,
  })
}

/** What of the gateway's limits is configured. */
async function readGatewayLimits({ maxCost, pointsPerSecond, persistedDocumentsFile: file }: Config) {
  const [{ DEFAULT_GATEWAY_LIMITS }, { readPersistedDocuments }] = await Promise.all([
    import('./gateway/gateway-limits.ts'),
    import('./gateway/limits/persisted-documents-file.ts'),
  ])
  const maxPoints = pointsPerSecond * DEFAULT_GATEWAY_LIMITS.pointsWindowSeconds
  return {
    limits: { maxCost, maxPoints },
    persistedDocuments:
      file === null ? null : await blame('NUVION_PERSISTED_DOCUMENTS', readPersistedDocuments(file)),
  }
}

/** The STOMP door with all it stands on. */
async function openDoor(site: Site, stores: Stores, { watch }: Rights) {
  const { config, logger, metrics, lifecycle, keys } = site
  const [
    { createStompDoor },
    { openDoorBacking },
    { DEFAULT_DOOR_LIMITS },
    { createDeviceAuthenticator },
    { startTokenSuspects },
    { listKeptPresences },
    { createTokenVerifier },
    { listDurabilityGaps },
  ] = await Promise.all([
    import('./gateway/stomp/door.ts'),
    import('./gateway/stomp/door-backing.ts'),
    import('./gateway/stomp/door-limits.ts'),
    import('./subgraphs/device/device-authenticator.ts'),
    import('./subgraphs/device/token-suspects.ts'),
    import('./subgraphs/device/status-repository.ts'),
    import('./subgraphs/shared/auth/access-token.ts'),
    import('./subgraphs/shared/redis/durability.ts'),
  ])
  const { db } = stores
  // A key that is taken out of the set ends sessions as well: whose, is found out by looking at all.
  const doorWatch: Pick<RightsWatch, 'onChange'> = {
    onChange(listener) {
      const ends = [watch.onChange(listener), keys.onRemoved(() => listener({ kind: 'unknown' }))]
      return () => {
        for (const end of ends) end()
      }
    },
  }
  const gaps = await listDurabilityGaps(await openRedisOf(site, stores.redisIngestUrl, 'durability'))
  if (gaps.length > 0) logger.warn({ gaps }, 'stomp.receipts_not_durable')
  const backing = lifecycle.own(
    'door backing',
    await openDoorBacking({
      liveUrl: stores.redisUrl,
      ingestUrl: stores.redisIngestUrl,
      replicas: config.ingestReplicas,
      maxLogBytes: config.maxIngestLogBytes,
      kept: { list: (after, limit) => listKeptPresences(db, after, limit) },
      logger,
      metrics,
    }),
  )
  const suspects = lifecycle.own('token suspects', startTokenSuspects({ db, watch, logger }))
  const verifier = createTokenVerifier({ keys })
  const { frame, heartBeat } = DEFAULT_DOOR_LIMITS
  return createStompDoor({
    ...backing,
    watch: doorWatch,
    authenticator: createDeviceAuthenticator({ db, verifier, memory: { watch, suspects } }),
    limits: {
      retentionMs: config.retentionDays * 24 * 60 * 60_000,
      frame: { ...frame, maxFrameBytes: config.maxFrameBytes },
      heartBeat: { ...heartBeat, silenceMs: config.lifeSignMs },
    },
    logger,
    metrics,
  })
}

/** The ingest pipeline. */
async function openIngest(site: Site, stores: Stores, { topologyWatch }: News) {
  const { config, logger, metrics } = site
  const [{ startIngest }, { createLivePublisher }, { createDeviceMailbox }, { createDeviceDirectory }] =
    await Promise.all([
      import('./subgraphs/events/ingest/ingest.ts'),
      import('./subgraphs/shared/live-topic/live-publisher.ts'),
      import('./subgraphs/shared/device-mailbox.ts'),
      import('./subgraphs/device/device-directory.ts'),
    ])
  const liveRedis = await openRedisOf(site, stores.redisUrl, 'ingest-live')
  return startIngest({
    pool: stores.pool,
    ingestRedis: await openRedisOf(site, stores.redisIngestUrl, 'ingest-log'),
    ingestRedisUrl: stores.redisIngestUrl,
    liveRedis,
    livePublisher: createLivePublisher({ redis: liveRedis }),
    directory: createDeviceDirectory({ db: stores.db, topologyWatch }),
    deviceMailbox: createDeviceMailbox({ redis: liveRedis, logger }),
    owner: site.instance,
    limits: { retentionDays: config.retentionDays },
    logger,
    metrics,
  })
}

/** Background jobs. */
async function startWorker({ config, logger, metrics, lifecycle, instance }: Site, { pool }: Stores) {
  const { startRetentionWorker } = await import('./subgraphs/events/worker/retention-worker.ts')
  const { retentionDays } = config
  lifecycle.own(
    'retention worker',
    startRetentionWorker({ pool, owner: instance, retentionDays, logger, metrics }),
  )
}

/** Keys and secrets, from the configuration or kept in the data folder. */
async function readSecrets(
  { dataDir, signingKeys: configured, internalSecret }: Config,
  { logger, lifecycle }: Pick<Site, 'logger' | 'lifecycle'>,
): Promise<Pick<Site, 'keys' | 'internalSecret'>> {
  await blame('NUVION_DATA', mkdir(dataDir, { recursive: true, mode: 0o700 }))
  const keys = followSigningKeys({ configured, dataDir, logger })
  const secret = readInternalSecret({ configured: internalSecret, dataDir })
  return {
    keys: lifecycle.own(
      'signing keys',
      await blame(configured === null ? 'NUVION_DATA' : 'NUVION_SIGNING_KEYS', keys),
    ),
    internalSecret: await blame('NUVION_DATA', secret),
  }
}

/** Keys in the data folder are renewed; those of the configuration are for whoever configured them to renew. */
async function startRotation({ config, lifecycle, logger }: Site): Promise<void> {
  const { signingKeys, keyDays, dataDir } = config
  if (signingKeys !== null) return
  const { startKeyRotation } = await import('./subgraphs/shared/auth/key-rotation.ts')
  const maxAgeMs = keyDays === 0 ? Infinity : keyDays * 24 * 60 * 60_000
  lifecycle.own('key rotation', startKeyRotation({ dataDir, maxAgeMs, logger }))
}

async function startEmbedded({ config, logger, lifecycle }: Site): Promise<Addresses> {
  const { startEmbeddedServices } = await import('./subgraphs/shared/supervisor/embedded-services.ts')
  const services = startEmbeddedServices({
    dataDir: config.dataDir,
    isSmall: config.isSmall,
    logger,
    print: message => console.log(message),
    onFailure(error) {
      logger.fatal({ err: error }, 'embedded.failed')
      process.exitCode = 1
      process.kill(process.pid, 'SIGTERM')
    },
  })
  return await lifecycle.own('embedded servers', services).ready
}

/** Opens the database at its newest schema, and sees that both Redis answer. */
async function openStores(site: Site, addresses: Addresses, owner?: string): Promise<Stores> {
  const { config, lifecycle } = site
  const [{ openMysql }, { createDatabase }, { migrate }, { probeRedis }] = await Promise.all([
    import('./subgraphs/shared/mysql/open-mysql.ts'),
    import('./subgraphs/shared/mysql/create-database.ts'),
    import('./subgraphs/shared/mysql/migrate.ts'),
    import('./subgraphs/shared/redis/probe-redis.ts'),
  ])
  const { databaseUrl, redisUrl, redisIngestUrl } = addresses
  const mysql = lifecycle.own('database', openMysql({ url: databaseUrl, poolSize: config.databasePool }))
  const dir = fileURLToPath(new URL('./schema/mysql/migrations', import.meta.url))
  await Promise.all([
    blame(
      'DATABASE_URL',
      createDatabase(databaseUrl).then(() => migrate({ pool: mysql.pool }, { dir, owner })),
    ),
    blame('REDIS_URL', probeRedis(redisUrl)),
    blame('REDIS_INGEST_URL', probeRedis(redisIngestUrl)),
  ])
  return { ...addresses, pool: mysql.pool, db: mysql.db }
}

async function openRedisOf({ lifecycle, logger }: Site, url: string, name: string) {
  const { openRedis } = await import('./subgraphs/shared/redis/open-redis.ts')
  const onError = (error: Error) => logger.warn({ err: error, name }, 'redis.connection_failed')
  return lifecycle.own(`redis ${name}`, openRedis({ url, name, onError })).redis
}

async function seedDemoData({ internalSecret }: Site, db: Db) {
  const { seedDemo, deriveDemoCredential } = await import('./subgraphs/device/demo-data.ts')
  return await seedDemo({ db, deriveCredential: deviceId => deriveDemoCredential(internalSecret, deviceId) })
}

async function serveMetrics({ config, lifecycle }: Site, collect: () => Promise<string>): Promise<void> {
  if (config.metricsPort === null) return
  const server = startMetricsServer(config.metricsPort, collect)
  lifecycle.own('metrics server', await blame('METRICS_PORT', server))
}

function parseRoles(args: readonly string[], { subgraphUrls }: Config): readonly Role[] {
  const unknown = args.filter(arg => arg !== 'all' && !ROLES.some(role => role === arg))
  if (unknown.length > 0)
    throw new Error(`There is no role ${unknown.join(', ')}. Roles: all, ${ROLES.join(', ')}.`)
  if (args.length === 0 || args.includes('all')) return ROLES
  const roles = ROLES.filter(role => args.includes(role))
  if (!roles.includes('gateway') && roles.includes('device') && roles.includes('events')) {
    throw new Error('device and events without gateway need a process each.')
  }
  for (const name of SUBGRAPH_NAMES) {
    if (!roles.includes('gateway') || roles.includes(name) || subgraphUrls[name] !== null) continue
    throw new Error(`The gateway needs ${name.toUpperCase()}_URL, or the role ${name} beside it.`)
  }
  return roles
}

function getAddresses({ databaseUrl, redisUrl, redisIngestUrl }: Config, roles: string): Addresses {
  if (databaseUrl === null || redisUrl === null || redisIngestUrl === null) {
    throw new Error(`${roles} needs DATABASE_URL and REDIS_URL; only all brings servers of its own.`)
  }
  return { databaseUrl, redisUrl, redisIngestUrl }
}

/** The same at every start on this machine and folder: what starts again takes its own leases back at once. */
function makeInstance({ dataDir }: Config): string {
  return createHash('sha256').update(`${hostname()}:${dataDir}`).digest('hex').slice(0, 32)
}

/** Answers a signal that is aborted once this process is stopping. */
function stopOnSignals(lifecycle: Lifecycle, logger: Logger, supervised: Supervised | null): AbortSignal {
  // The supervisor waits a little longer than its processes take, and itself less than init systems grant.
  const stopDeadlineMs = supervised === null ? 25_000 : 9_000
  const stopping = new AbortController()
  const stop = async (why: string) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    logger.info({ why }, 'main.stopping')
    setTimeout(() => {
      logger.error({ why }, 'main.stop_took_too_long')
      process.exit(1)
    }, stopDeadlineMs).unref()
    await lifecycle[Symbol.asyncDispose]()
    process.exit(process.exitCode ?? 0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => (supervised === null ? stop(signal) : undefined))
  supervised?.onStop(stop)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, error => {
      logger.fatal({ err: error }, `main.${event}`)
      process.exit(1)
    })
  }
  return stopping.signal
}

function describeReady(address: string, { isDemo, isEmbedded, dataDir, smtp }: Config): string {
  return [
    '',
    `NUVION is ready at http://${address}`,
    `  GraphQL         http://${address}/graphql and ws://${address}/graphql`,
    `  devices         http://${address}/stomp (SockJS) and ws://${address}/stomp/websocket`,
    ...(isDemo ? ['  demo sign-in    demo@nuvion.local / nuvion-demo'] : []),
    ...(isEmbedded ? [`  data            ${dataDir}`] : []),
    ...(smtp === null ? [`  mail            ${join(dataDir, 'mail')}`] : []),
    '  stop            Ctrl-C',
    '',
  ].join('\n')
}

/** Passes the failure of `work` on as the fault of a setting. */
async function blame<T>(setting: string, work: Promise<T>): Promise<T> {
  return await work.catch(cause => {
    throw new Error(`${setting} cannot be used.`, { cause })
  })
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}\n  ${describeError(error.cause)}`
}
