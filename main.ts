#!/usr/bin/env node
import { createHash, randomUUID } from 'node:crypto'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HttpRoutes, HttpServer } from './gateway/http-server.ts'
import { readSiteSecrets } from './subgraphs/shared/auth/site-secrets.ts'
import { blame } from './subgraphs/shared/blame.ts'
import type { BroadcastDesk } from './subgraphs/shared/broadcast-desk.ts'
import { type Config, readConfig } from './subgraphs/shared/config.ts'
import type { Subgraph } from './subgraphs/shared/graphql/subgraph.ts'
import type { HttpPath } from './subgraphs/shared/http/http-handoff.ts'
import { createLifecycle, type Lifecycle } from './subgraphs/shared/lifecycle.ts'
import { createLogger } from './subgraphs/shared/logger.ts'
import { warnOfMail } from './subgraphs/shared/mail/warn-of-mail.ts'
import type { MediaPort } from './subgraphs/shared/media-port.ts'
import { createMetrics } from './subgraphs/shared/metrics.ts'
import { startMetricsServer } from './subgraphs/shared/metrics-server.ts'
import type { Db } from './subgraphs/shared/mysql/open-mysql.ts'
import { createReadiness } from './subgraphs/shared/readiness.ts'
import { BACK_ROLES, FRONT_ROLES, parseRoles, ROLES, type Role } from './subgraphs/shared/roles.ts'
import { type Addresses, openRedisOf, type Site, type Stores } from './subgraphs/shared/site.ts'
import type { SiteNews } from './subgraphs/shared/site-news.ts'
import type { SiteRights } from './subgraphs/shared/site-rights.ts'
import type { SiteStorage } from './subgraphs/shared/storage/site-storage.ts'
import { stopOnSignals } from './subgraphs/shared/supervisor/stop-on-signals.ts'
import { openSupervised, type Supervised } from './subgraphs/shared/supervisor/supervised.ts'

/** What the roles of a process start with, and what each adds to it. */
interface Assembly {
  readonly site: Site
  readonly stores: Stores
  readonly news: SiteNews
  readonly storage: SiteStorage
  /** For the gateway, where it is one of them. */
  readonly subgraphs: Subgraph[]
  readonly routes: { -readonly [K in keyof HttpRoutes]: HttpRoutes[K] }
  /** Answered under paths of their own, on the port of the process. */
  readonly paths: HttpPath[]
  /** Where media is in this process. */
  media?: MediaPort
  /** All must hold for the process to be ready. */
  readonly checks: (() => unknown)[]
}

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
    const isAll = args.length === 0 || args.includes('all')
    const config = readConfig(process.env, { isAll })
    const supervised = config.isSupervised ? openSupervised(process) : null
    const roles = parseRoles(args, config)
    const group = roles.length === ROLES.length ? 'all' : roles.join('+')
    const logger = createLogger({ level: config.logLevel, role: group })
    lifecycle = createLifecycle({ logger })
    stopping = stopOnSignals(lifecycle, logger, supervised)
    const site: Site = {
      config,
      logger,
      lifecycle,
      metrics: createMetrics({ group }),
      instance: config.instance ?? (isAll ? makeInstance(config) : randomUUID()),
      ...(await readSiteSecrets(config, { logger, lifecycle })),
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
  const stores = await openSiteStores(site, addresses, config.isEmbedded ? site.instance : undefined)
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
      NUVION_MEDIA_LISTEN: config.media.listen.join(','),
      NUVION_ANNOUNCED_ADDRESS: config.media.announced.join(','),
      NUVION_SUPERVISED_PORT: config.port === 0 ? '' : String(config.port),
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
  if (supervised === null && roles.includes('device')) warnOfMail(site)
  const isMediaAlone = roles.length === 1 && roles.includes('media')
  const { port, url } = isMediaAlone
    ? await startMediaAlone(site)
    : await startOnStores(site, roles, supervised)
  supervised?.onCollectMetrics(() => site.metrics.getMetricsAsJSON())
  await serveMetrics(site, () => site.metrics.metrics())
  if (supervised === null) console.log(`${roles.join(' + ')} ready at ${url}`)
  else supervised.tell({ type: 'ready', port, url })
}

/** Media stands on no database: it is ready when it can serve. */
async function startMediaAlone(site: Site): Promise<HttpServer> {
  const { startMediaRole } = await import('./media/media-role.ts')
  const { http, isReady } = await startMediaRole(site, { isAsked: true })
  const readiness = createReadiness([isReady])
  return await listen(site, ['media'], {
    isReady: () => readiness.isReady(),
    readJwks: () => site.keys.jwks,
    paths: http === null ? [] : [http],
  })
}

async function startOnStores(
  site: Site,
  roles: readonly Role[],
  supervised: Supervised | null,
): Promise<HttpServer> {
  const { config } = site
  const stores = await openSiteStores(site, getAddresses(config, roles.join(' ')))
  if (config.isDemo && roles.includes('device')) await seedDemoData(site, stores.db)
  return await startRoles(site, roles, stores, supervised)
}

/** Starts roles in this process behind one HTTP server. They close in the reverse of this order. */
async function startRoles(
  site: Site,
  roles: readonly Role[],
  stores: Stores,
  supervised: Supervised | null,
): Promise<HttpServer> {
  const { config, lifecycle, keys } = site
  const has = (role: Role) => roles.includes(role)
  const live = await openRedisOf(site, stores.redisUrl, 'readiness')
  const checks: Assembly['checks'] = [() => stores.pool.query('SELECT 1'), () => live.ping()]
  const readiness = createReadiness(checks)
  const paths: HttpPath[] = []
  const routes: Assembly['routes'] = {
    isReady: () => readiness.isReady(),
    readJwks: () => keys.jwks,
    paths,
  }
  if (has('stomp') || has('ingest')) {
    const log = await openRedisOf(site, stores.redisIngestUrl, 'readiness')
    checks.push(() => log.ping())
  }
  const publicUrl = Promise.withResolvers<string>()
  const mailer = has('device') ? await startMailer(site, stores, publicUrl.promise) : null
  const { startSiteNews } = await import('./subgraphs/shared/site-news.ts')
  const news = startSiteNews(site, stores, live)
  let linkOrigin = config.publicUrl ?? toLocalOrigin(config.supervisedPort)
  const { createSiteStorage } = await import('./subgraphs/shared/storage/site-storage.ts')
  const storage = createSiteStorage(site, () => linkOrigin)
  const assembly: Assembly = { site, stores, news, storage, subgraphs: [], routes, paths, checks }
  // Nobody asks these for anything by himself, and so they look at nobody's rights.
  const hasCallers = roles.some(role => role !== 'ingest' && role !== 'media')
  const rights = hasCallers ? await startRights(assembly) : null
  if (has('media')) await startMedia(assembly, roles)

  if (mailer !== null && rights !== null) await startDevice(assembly, rights, mailer)
  if (has('events') && rights !== null) await startEvents(assembly, rights)
  if (has('reports') && rights !== null) await startReports(assembly, rights)
  const desk = has('streaming') && rights !== null ? await startStreaming(assembly, rights) : null
  if (has('gateway') && rights !== null) await startGateway(assembly, rights)
  else await serveSubgraph(assembly)
  if (has('reports') && rights !== null) await startExports(assembly, rights, has('gateway'))
  else if (has('gateway')) await passExportsOn(assembly)
  if (has('ingest')) await startIngest(assembly)
  if (has('worker')) await startWorker(assembly)
  if (has('stomp') && rights !== null) await startDoor(assembly, rights, desk)
  else if (has('gateway') && supervised !== null) await handOverDoor(assembly, supervised)

  const server = await listen(site, roles, routes)
  supervised?.onSocket((head, socket) => server.adopt(head, socket))
  const ownOrigin = config.publicUrl ?? toLocalOrigin(server.port)
  if (has('gateway')) linkOrigin = ownOrigin
  publicUrl.resolve(ownOrigin)
  // Closed first, so that what is being sent ends while the rest drains.
  if (mailer !== null) lifecycle.own('mail intake', { [Symbol.asyncDispose]: async () => mailer.stop() })
  return server
}

async function listen(
  { config, lifecycle, logger }: Site,
  roles: readonly Role[],
  routes: HttpRoutes,
): Promise<HttpServer> {
  const { startHttpServer } = await import('./gateway/http-server.ts')
  const listening = startHttpServer({ port: config.port, host: config.host, routes, logger })
  const server = lifecycle.own('http server', await blame('PORT or HOST', listening))
  logger.info({ roles, url: server.url }, 'main.ready')
  return server
}

// What each role needs of others is wired here, and loaded by the processes that have the role.

async function startMailer(site: Site, stores: Stores, publicUrl: Promise<string>) {
  const { startMailerPart } = await import('./subgraphs/device/mailer/mailer-part.ts')
  return await startMailerPart(site, stores, publicUrl)
}

async function startRights({ site, stores, news }: Assembly): Promise<SiteRights> {
  const { startSiteRights } = await import('./subgraphs/shared/site-rights.ts')
  return startSiteRights(site, stores, news)
}

async function startDevice(
  { site, stores, news, subgraphs }: Assembly,
  rights: SiteRights,
  { nudge }: { nudge(): void },
): Promise<void> {
  const { startDeviceRole } = await import('./subgraphs/device/device-role.ts')
  subgraphs.push(await startDeviceRole(site, stores, news, rights, { nudgeMailer: nudge }))
}

async function startEvents(
  { site, stores, news, storage, subgraphs }: Assembly,
  rights: SiteRights,
): Promise<void> {
  const [{ createEventsRole }, { createDeviceDirectory }, { createLivePublisher }, { startClipResources }] =
    await Promise.all([
      import('./subgraphs/events/events-role.ts'),
      import('./subgraphs/device/device-directory.ts'),
      import('./subgraphs/shared/live-topic/live-publisher.ts'),
      import('./subgraphs/events/clips/clip-part.ts'),
    ])
  const devices = createDeviceDirectory({ db: stores.db, topologyWatch: news.topologyWatch })
  const live = await openRedisOf(site, stores.redisUrl, 'events')
  const livePublisher = createLivePublisher({ redis: live })
  const clips = await startClipResources(site, stores, storage)
  subgraphs.push(createEventsRole(site, stores, news, rights, { devices, livePublisher, live, clips }))
}

async function startReports({ site, stores, news, subgraphs }: Assembly, rights: SiteRights): Promise<void> {
  const [{ createReportsRole }, { createDeviceDirectory }] = await Promise.all([
    import('./subgraphs/reports/reports-role.ts'),
    import('./subgraphs/device/device-directory.ts'),
  ])
  const devices = createDeviceDirectory({ db: stores.db, topologyWatch: news.topologyWatch })
  subgraphs.push(createReportsRole(site, stores, rights, { devices }))
}

/** Links of exports lead to the gateway, and are opened where reports are: here, for the gateway beside it or elsewhere. */
async function startExports(
  { site, stores, paths }: Assembly,
  rights: SiteRights,
  isGateway: boolean,
): Promise<void> {
  const [{ startExportsPart }, { toInternalPath }] = await Promise.all([
    import('./subgraphs/reports/reports-role.ts'),
    import('./subgraphs/shared/http/internal-path.ts'),
  ])
  const path = startExportsPart(site, stores, rights)
  paths.push(isGateway ? path : toInternalPath(path, site.internalSecret))
}

/** Reports are elsewhere. */
async function passExportsOn({ site, paths }: Assembly): Promise<void> {
  const { internalSecret: secret, config, logger } = site
  const { reports: url } = config.subgraphUrls
  if (url === null) throw new TypeError('Expected reports beside the gateway, or their address.')
  const { createRoleProxy } = await import('./gateway/role-proxy.ts')
  const handler = createRoleProxy({ name: 'reports', url, secret, logger })
  paths.push({ prefix: '/exports/', handler })
}

async function startGateway(
  { site, stores, storage, subgraphs, routes, paths, checks }: Assembly,
  rights: SiteRights,
): Promise<void> {
  const [
    { startGatewayRole },
    { startAuthenticatorPart },
    { requireStandingDevice },
    { createUnsubscribePath },
    { startDashboardPart },
  ] = await Promise.all([
    import('./gateway/gateway-role.ts'),
    import('./subgraphs/device/authenticator-part.ts'),
    import('./subgraphs/device/standing-device.ts'),
    import('./subgraphs/events/alerts/unsubscribe-part.ts'),
    import('./dashboard/dashboard-part.ts'),
  ])
  const gateway = await startGatewayRole(site, stores, rights, {
    subgraphs,
    startDeviceAuthenticator: verifier => startAuthenticatorPart(site, stores, rights, verifier),
    requireStandingDevice,
  })
  routes.graphql = gateway
  paths.push(...storage.paths, createUnsubscribePath(site, stores), await startDashboardPart(site))
  checks.push(() => gateway.ready())
}

/** A subgraph without a gateway beside it is asked by one elsewhere. */
async function serveSubgraph({ site, subgraphs: [subgraph], routes }: Assembly): Promise<void> {
  if (subgraph === undefined) return
  const { internalSecret: secret, lifecycle, logger } = site
  const { createSubgraphServer } = await import('./subgraphs/shared/graphql/subgraph-server.ts')
  routes.graphql = lifecycle.own('subgraph', createSubgraphServer({ subgraph, secret, logger }))
}

/** Video that fails leaves a process ready that does more than video. Beside the gateway it is asked in the process. */
async function startMedia(assembly: Assembly, roles: readonly Role[]): Promise<void> {
  const { site, paths } = assembly
  const { startMediaRole } = await import('./media/media-role.ts')
  const role = await startMediaRole(site, { isAsked: !roles.includes('gateway') })
  assembly.media = role.media
  if (role.http !== null) paths.push(role.http)
}

/** Media of another process, where the configuration says. */
async function openRemoteMedia({
  config,
  internalSecret: secret,
  logger,
  lifecycle,
}: Site): Promise<MediaPort> {
  const { url } = config.media
  if (url === null) {
    const { createMediaOff } = await import('./media/media-off.ts')
    return createMediaOff('Live video is off: streaming needs MEDIA_URL, or the role media beside it.')
  }
  const { createMediaClient } = await import('./subgraphs/shared/media-client.ts')
  return lifecycle.own('media client', createMediaClient({ url, secret, logger }))
}

async function startStreaming(
  { site, stores, news, subgraphs, media: beside }: Assembly,
  rights: SiteRights,
): Promise<BroadcastDesk> {
  const [{ startStreamingRole }, { createDeviceDirectory }, { serveBroadcastDesk }] = await Promise.all([
    import('./subgraphs/streaming/streaming-role.ts'),
    import('./subgraphs/device/device-directory.ts'),
    import('./subgraphs/shared/broadcast-desk-calls.ts'),
  ])
  const devices = createDeviceDirectory({ db: stores.db, topologyWatch: news.topologyWatch })
  const media = beside ?? (await openRemoteMedia(site))
  const streaming = await startStreamingRole(site, stores, news, rights, { devices, media })
  await serveBroadcastDesk(site, stores, streaming.broadcastDesk)
  subgraphs.push(streaming.subgraph)
  return streaming.broadcastDesk
}

async function startIngest({ site, stores, news, checks }: Assembly): Promise<void> {
  const [{ startIngestRole }, { createDeviceDirectory }, { openAlertListener }, { openFeedListener }] =
    await Promise.all([
      import('./subgraphs/events/ingest/ingest-role.ts'),
      import('./subgraphs/device/device-directory.ts'),
      import('./subgraphs/events/alerts/alert-part.ts'),
      import('./subgraphs/events/feed/feed-part.ts'),
    ])
  const directory = createDeviceDirectory({ db: stores.db, topologyWatch: news.topologyWatch })
  const listeners = [
    await openAlertListener(site, stores),
    await openFeedListener(site, stores, { devices: directory }),
  ]
  const ingest = await startIngestRole(site, stores, { directory, listeners })
  checks.push(() => ingest.isReady())
  await ingest.ready
}

async function startWorker({ site, stores, storage }: Assembly): Promise<void> {
  const { startWorkerRole } = await import('./subgraphs/events/worker/worker-role.ts')
  await startWorkerRole(site, stores, storage)
}

async function startDoor(
  { site, stores, storage, routes }: Assembly,
  rights: SiteRights,
  desk: BroadcastDesk | null,
): Promise<void> {
  const { openBroadcastDesk } = await import('./subgraphs/shared/broadcast-desk-calls.ts')
  const [{ startDoorRole }, { startAuthenticatorPart }, { listKeptPresences }, { startClipDesk }] =
    await Promise.all([
      import('./gateway/stomp/door-role.ts'),
      import('./subgraphs/device/authenticator-part.ts'),
      import('./subgraphs/device/status-repository.ts'),
      import('./subgraphs/events/clips/clip-part.ts'),
    ])
  routes.stomp = await startDoorRole(site, stores, rights, {
    startDeviceAuthenticator: verifier => startAuthenticatorPart(site, stores, rights, verifier),
    keptPresences: { list: (after, limit) => listKeptPresences(stores.db, after, limit) },
    clipDesk: await startClipDesk(site, stores, storage),
    broadcastDesk: desk ?? (await openBroadcastDesk(site, stores)),
  })
}

/** The door is in the other process of this machine. */
async function handOverDoor({ site, routes }: Assembly, supervised: Supervised): Promise<void> {
  const { createDoorHandoff } = await import('./subgraphs/shared/supervisor/door-handoff.ts')
  routes.stomp = site.lifecycle.own('door handoff', createDoorHandoff(supervised))
}

/** Brings the servers up that the site has of its own. */
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

async function openSiteStores(site: Site, addresses: Addresses, owner?: string): Promise<Stores> {
  const { openStores } = await import('./subgraphs/shared/site-stores.ts')
  return await openStores(site, addresses, owner)
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

function getAddresses({ databaseUrl, redisUrl, redisIngestUrl }: Config, roles: string): Addresses {
  if (databaseUrl === null || redisUrl === null || redisIngestUrl === null) {
    throw new Error(`${roles} needs DATABASE_URL and REDIS_URL; only all brings servers of its own.`)
  }
  return { databaseUrl, redisUrl, redisIngestUrl }
}

/** Empty without a port. */
function toLocalOrigin(port: number | null): string {
  return port === null ? '' : `http://localhost:${port}`
}

/** The same at every start on this machine and folder: what starts again takes its own leases back at once. */
function makeInstance({ dataDir }: Config): string {
  return createHash('sha256').update(`${hostname()}:${dataDir}`).digest('hex').slice(0, 32)
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

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}\n  ${describeError(error.cause)}`
}
