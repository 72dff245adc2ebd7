import { readSupergraphSdl, SUBGRAPH_NAMES } from '../schema/graphql/subgraph-sdl.ts'
import { createTokenVerifier, type TokenVerifier } from '../subgraphs/shared/auth/access-token.ts'
import { startEndedSessions } from '../subgraphs/shared/auth/ended-sessions.ts'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import { blame } from '../subgraphs/shared/blame.ts'
import type { Config } from '../subgraphs/shared/config.ts'
import type { DeviceAuthenticator } from '../subgraphs/shared/device-directory.ts'
import type { Subgraph } from '../subgraphs/shared/graphql/subgraph.ts'
import { openRedisOf, type Site, type Stores } from '../subgraphs/shared/site.ts'
import type { SiteRights } from '../subgraphs/shared/site-rights.ts'
import { createGateway, type Gateway } from './create-gateway.ts'
import { DEFAULT_GATEWAY_LIMITS } from './gateway-limits.ts'
import { readPersistedDocuments } from './limits/persisted-documents-file.ts'
import { createHttpSource } from './sources/http-source.ts'
import { createInProcessSource } from './sources/in-process-source.ts'

/** What the gateway needs of others. */
export interface GatewayPorts {
  /** Those of this process; the others are asked where the configuration says. */
  readonly subgraphs: readonly Subgraph[]
  /** Starts the check of what devices show; called once. */
  startDeviceAuthenticator(verifier: TokenVerifier): DeviceAuthenticator
  /** Returns who a verified token speaks for; throws UNAUTHENTICATED for a device that does not stand any more. */
  requireStandingDevice(devices: DeviceAuthenticator, token: string, viewer: Viewer): Promise<Viewer>
}

/** Starts the gateway, until the process ends. Throws a TypeError for a subgraph that is neither here nor configured. */
export async function startGatewayRole(
  site: Site,
  { db, redisUrl }: Stores,
  { access, watch }: SiteRights,
  ports: GatewayPorts,
): Promise<Gateway> {
  const { config, logger, metrics, lifecycle, keys, internalSecret: secret } = site
  const limits = await readLimits(config)
  const sources = SUBGRAPH_NAMES.map(name => {
    const subgraph = ports.subgraphs.find(one => one.name === name)
    if (subgraph !== undefined) return createInProcessSource(subgraph, { logger })
    const origin = config.subgraphUrls[name]
    if (origin === null)
      throw new TypeError(`Expected the subgraph ${name} beside the gateway, or its address.`)
    return createHttpSource({ name, url: `${origin}/graphql`, secret, logger })
  })
  const verifier = createTokenVerifier({ keys })
  const ended = lifecycle.own('ended sessions', await startEndedSessions({ db, watch, logger }))
  const devices = ports.startDeviceAuthenticator(verifier)
  const gateway = await createGateway({
    supergraphSdl: readSupergraphSdl(),
    sources,
    verifyAccessToken: async token =>
      ports.requireStandingDevice(devices, token, ended.requireLive(await verifier.verify(token))),
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
  return lifecycle.own('gateway', gateway)
}

/** What of the gateway's limits is configured. */
async function readLimits({ maxCost, pointsPerSecond, persistedDocumentsFile: file }: Config) {
  const maxPoints = pointsPerSecond * DEFAULT_GATEWAY_LIMITS.pointsWindowSeconds
  return {
    limits: { maxCost, maxPoints },
    persistedDocuments:
      file === null ? null : await blame('NUVION_PERSISTED_DOCUMENTS', readPersistedDocuments(file)),
  }
}
