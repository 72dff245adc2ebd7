import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { GraphqlSockets } from '../subgraphs/shared/graphql/graphql-sockets.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { Metrics } from '../subgraphs/shared/metrics.ts'
import type { VerifyAccessToken } from './authentication.ts'
import { createErrorFormat } from './error-format.ts'
import { createDocumentReader } from './execution/document-reader.ts'
import { startOperationExecutor } from './execution/operation-executor.ts'
import { DEFAULT_GATEWAY_LIMITS, type GatewayLimits } from './gateway-limits.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'
import { createGraphqlHttp } from './graphql-http.ts'
import { createInFlight } from './in-flight.ts'
import type { SubgraphSource } from './sources/subgraph-source.ts'
import { createGatewaySockets } from './subscriptions/gateway-sockets.ts'
import { createSubscriptionPlanner } from './subscriptions/subscription-planner.ts'
import { createSubscriptionRunner } from './subscriptions/subscription-runner.ts'
import { buildSupergraph } from './supergraph.ts'

/** The gateway, without a server of its own: someone hands it the requests and upgrades of `/graphql`. */
export interface Gateway {
  /** Answers GraphQL over HTTP. */
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  /** Takes over a graphql-transport-ws connection. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Whether it serves: true until it begins to close. A subgraph that is down leaves it ready. */
  ready(): boolean
  /** Refuses new operations, lets those in flight finish, closes the sockets with 1001, then the sources. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What a gateway is made of. */
export interface GatewayOptions {
  /** The composed supergraph. */
  readonly supergraphSdl: string
  /** One for each subgraph of the supergraph; the gateway closes them. */
  readonly sources: readonly SubgraphSource[]
  readonly verifyAccessToken: VerifyAccessToken
  /** Instead of DEFAULT_GATEWAY_LIMITS, one by one. */
  readonly limits?: Partial<GatewayLimits>
  /** Default true: no introspection, no "did you mean". */
  readonly isProduction?: boolean
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Creates the gateway. Throws when the supergraph cannot be read or a source is missing. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { supergraphSdl, verifyAccessToken, isProduction = true, logger } = options
  const limits: GatewayLimits = { ...DEFAULT_GATEWAY_LIMITS, ...options.limits }
  const sources = new Map(options.sources.map(source => [source.name, source]))
  const supergraph = buildSupergraph(supergraphSdl)
  const missing = supergraph.subgraphNames.filter(name => !sources.has(name))
  if (missing.length > 0) throw new TypeError(`Expected a source for each subgraph, got none for ${missing}.`)

  const inFlight = createInFlight()
  const formatError = createErrorFormat({ logger })
  const metrics = createGatewayMetrics(options.metrics, () => sockets.size)
  const reader = createDocumentReader(limits)
  const executor = await startOperationExecutor({
    supergraphSdl,
    sources,
    limits,
    isProduction,
    formatError,
    logger,
  })
  const shared = { executor, reader, verifyAccessToken, inFlight, limits, metrics, logger }
  const handleRequest = createGraphqlHttp(shared)
  const sockets: GraphqlSockets = createGatewaySockets({
    ...shared,
    schema: supergraph.apiSchema,
    formatError,
    planner: createSubscriptionPlanner({
      supergraph,
      maxPlans: limits.maxKeptDocuments,
      hasSuggestions: !isProduction,
    }),
    runner: createSubscriptionRunner({
      supergraph,
      sources,
      eventDeadlineMs: limits.requestDeadlineMs,
      formatError,
      logger,
    }),
  })

  return {
    handleRequest,
    handleUpgrade: sockets.handleUpgrade,
    ready: () => !inFlight.isDraining,
    async [Symbol.asyncDispose]() {
      await inFlight.drain(limits.drainDeadlineMs)
      // The last answers are written in this turn.
      await setImmediate()
      await sockets[Symbol.asyncDispose]()
      await executor[Symbol.asyncDispose]()
      await Promise.all(options.sources.map(source => source[Symbol.asyncDispose]()))
    },
  }
}
