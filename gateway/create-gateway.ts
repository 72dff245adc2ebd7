import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { EndedSessions } from '../subgraphs/shared/auth/ended-sessions.ts'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import type { GraphqlSockets } from '../subgraphs/shared/graphql/graphql-sockets.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { Metrics } from '../subgraphs/shared/metrics.ts'
import type { RightsWatch } from '../subgraphs/shared/permissions/rights-watch.ts'
import type { SpaceAccess } from '../subgraphs/shared/space-access.ts'
import type { VerifyAccessToken } from './authentication.ts'
import { createErrorFormat } from './error-format.ts'
import { createDocumentReader } from './execution/document-reader.ts'
import { startOperationExecutor } from './execution/operation-executor.ts'
import { createPlanGateway } from './execution/plan-gateway.ts'
import { createPlanStore } from './execution/plan-store.ts'
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits } from './gateway-limits.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'
import { createGraphqlHttp } from './graphql-http.ts'
import { createInFlight } from './in-flight.ts'
import { createAccountThrottle } from './limits/account-throttle.ts'
import { createAdmission } from './limits/admission.ts'
import { createCallerBudget } from './limits/caller-budget.ts'
import { createLimitMetrics } from './limits/limit-metrics.ts'
import { createLimitsPlugin } from './limits/limits-plugin.ts'
import { createOperationCharges } from './limits/operation-charges.ts'
import { createPersistedDocuments } from './limits/persisted-documents.ts'
import type { SubgraphSource } from './sources/subgraph-source.ts'
import { createConnections } from './subscriptions/connections.ts'
import { createEventRunner } from './subscriptions/event-runner.ts'
import { createEventStreams, type EventStreams } from './subscriptions/event-streams.ts'
import { createGatewaySockets } from './subscriptions/gateway-sockets.ts'
import { createSubscriptionHub } from './subscriptions/subscription-hub.ts'
import { createSubscriptionMetrics } from './subscriptions/subscription-metrics.ts'
import { createSubscriptionPlanner } from './subscriptions/subscription-planner.ts'
import { readViewerDependentFields } from './subscriptions/viewer-dependence.ts'
import { buildSupergraph } from './supergraph.ts'

/** The gateway, without a server of its own: someone hands it the requests and upgrades of `/graphql`. */
export interface Gateway {
  /** Answers GraphQL over HTTP. Calls `onStream` when the response is a stream of events, which the gateway ends. */
  handleRequest(request: IncomingMessage, response: ServerResponse, onStream?: () => void): void
  /** Takes over a graphql-transport-ws connection. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Whether it serves: true until it begins to close. A subgraph that is down leaves it ready. */
  ready(): boolean
  /** Refuses new operations, lets those in flight finish, closes the sockets with 1001 and breaks off the streams, then closes the sources. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What a gateway is made of. */
export interface GatewayOptions {
  /** The composed supergraph. */
  readonly supergraphSdl: string
  /** One for each subgraph of the supergraph; the gateway closes them. */
  readonly sources: readonly SubgraphSource[]
  readonly verifyAccessToken: VerifyAccessToken
  /** Roles of people, by which subscribers are grouped. */
  readonly access: SpaceAccess
  /** Tells when rights have changed; whoever lost theirs gets nothing more. */
  readonly rights: Pick<RightsWatch, 'onChange'>
  /** Tells which sessions have ended; their connections end with them. */
  readonly sessions: Pick<EndedSessions, 'onEnded'>
  /** Tells when keys of tokens were taken away; the connections that stand on them end. Default: never. */
  readonly tokenKeys?: {
    onRemoved(listener: () => void): () => void
    isInForce(viewer: Viewer): boolean
  }
  /** Instead of DEFAULT_GATEWAY_LIMITS, one by one. */
  readonly limits?: Partial<GatewayLimits>
  /** The live Redis, through which all gateways of a site share what each caller may do. Default: no rate limits. */
  readonly redis?: Redis | null
  /** By id, the only documents that run. Default: all that keep the limits. */
  readonly persistedDocuments?: ReadonlyMap<string, string> | null
  /** Proxies in front that each append to `X-Forwarded-For`. Default 0. */
  readonly trustedProxies?: number
  /** Origin that people open, when it is configured: see SiteOrigin. Default null. */
  readonly publicUrl?: string | null
  /** Default true: no introspection, no "did you mean". */
  readonly isProduction?: boolean
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Creates the gateway. Throws when the supergraph cannot be read or a source is missing. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { supergraphSdl, verifyAccessToken, access, rights, sessions, tokenKeys } = options
  const { isProduction = true, redis = null, logger } = options
  const { persistedDocuments: listed = null, trustedProxies = 0, publicUrl = null } = options
  const limits: GatewayLimits = { ...DEFAULT_GATEWAY_LIMITS, ...options.limits }
  const sources = new Map(options.sources.map(source => [source.name, source]))
  const supergraph = buildSupergraph(supergraphSdl)
  const missing = supergraph.subgraphNames.filter(name => !sources.has(name))
  if (missing.length > 0) throw new TypeError(`Expected a source for each subgraph, got none for ${missing}.`)

  const inFlight = createInFlight()
  const formatError = createErrorFormat({ hasSuggestions: !isProduction, logger })
  const metrics = createGatewayMetrics(options.metrics, {
    readSockets: () => sockets.size,
    readEventStreams: () => streams.size,
  })
  const plans = createPlanStore(supergraph, sources)
  const limitMetrics = createLimitMetrics(options.metrics)
  const rates = {
    redis,
    limits,
    onUnavailable(error: unknown) {
      limitMetrics.countUnavailable()
      logger.debug({ err: error }, 'gateway.budget_unavailable')
    },
  }
  const admission = createAdmission({
    schema: supergraph.apiSchema,
    reader: createDocumentReader({ ...limits, hasIntrospection: !isProduction }),
    persisted: createPersistedDocuments({ listed, maxKept: limits.maxKeptDocuments }),
    budget: createCallerBudget(rates),
    limits,
    metrics: limitMetrics,
  })
  const charge = createOperationCharges(admission)
  const executor = await startOperationExecutor({
    gateway: createPlanGateway({ supergraph, supergraphSdl, plans, logger }),
    limits,
    isProduction,
    formatError,
    charge,
    plugins: [
      createLimitsPlugin({
        charge,
        rates: limits.accountRates,
        throttle: createAccountThrottle({ ...rates, rates: limits.accountRates }),
        metrics: limitMetrics,
      }),
    ],
    logger,
  })
  const shared = {
    executor,
    admission,
    verifyAccessToken,
    trustedProxies,
    publicUrl,
    inFlight,
    limits,
    formatError,
    metrics,
    logger,
  }
  const connections = createConnections(limits)
  const hub = createSubscriptionHub({
    sources,
    access,
    runner: createEventRunner({ deadlineMs: limits.requestDeadlineMs, formatError, logger }),
    limits,
    metrics: createSubscriptionMetrics(options.metrics),
    logger,
  })
  const planner = createSubscriptionPlanner({
    schema: supergraph.apiSchema,
    viewerDependentFields: readViewerDependentFields(supergraphSdl),
    plans,
    maxPlans: limits.maxKeptDocuments,
    hasSuggestions: !isProduction,
  })
  const live = { planner, hub, connections }
  const streams: EventStreams = createEventStreams({ ...shared, ...live })
  const sockets: GraphqlSockets = createGatewaySockets({ ...shared, ...live, schema: supergraph.apiSchema })
  const forgetRights = rights.onChange(change => {
    if (change.kind === 'credential-revoked') connections.endDevice(change.deviceId)
    else hub.reconsider(change)
  })
  const forgetSessions = sessions.onEnded(connections.endSession)
  const forgetKeys = tokenKeys?.onRemoved(() => connections.endUnless(tokenKeys.isInForce))

  return {
    handleRequest: createGraphqlHttp({ ...shared, streams }),
    handleUpgrade: sockets.handleUpgrade,
    ready: () => !inFlight.isDraining,
    async [Symbol.asyncDispose]() {
      await inFlight.drain(limits.drainDeadlineMs)
      // The last answers are written in this turn.
      await setImmediate()
      await Promise.all([sockets[Symbol.asyncDispose](), streams[Symbol.asyncDispose]()])
      forgetRights()
      forgetSessions()
      forgetKeys?.()
      await executor[Symbol.asyncDispose]()
      await Promise.all(options.sources.map(source => source[Symbol.asyncDispose]()))
    },
  }
}
