import { ApolloGateway } from '@apollo/gateway'
import {
  ApolloServer,
  type ApolloServerPlugin,
  type HTTPGraphQLRequest,
  type HTTPGraphQLResponse,
} from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { makesSession } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import { createDocumentStore } from '../limits/document-store.ts'
import { asDataSource, type SubgraphSource } from '../sources/subgraph-source.ts'

/** A query or mutation that came over a WebSocket. */
export interface OperationRequest {
  readonly query: string
  readonly operationName?: string
  readonly variables?: Record<string, unknown>
  readonly extensions?: Record<string, unknown>
}

/** Runs queries and mutations: document cache, APQ, validation, planning and the plan, errors formatted. */
export interface OperationExecutor {
  /** Answers an HTTP request. `makeContext` may throw a GraphQLError, which becomes the answer. Never rejects. */
  executeHttp(
    request: HTTPGraphQLRequest,
    makeContext: () => Promise<GatewayContext>,
  ): Promise<HTTPGraphQLResponse>
  /** Answers an operation of a WebSocket. */
  execute(request: OperationRequest, context: GatewayContext): Promise<FormattedExecutionResult>
  [Symbol.asyncDispose](): Promise<void>
}

/** Room for a plan, as the plan store counts bytes. */
const PLAN_KIB = 8

/**
 * Starts an executor: Apollo Server 5 in front of `ApolloGateway`, over the given sources.
 *
 * In production there is no introspection and no "did you mean". Batches and @defer are refused.
 */
export async function startOperationExecutor({
  supergraphSdl,
  sources,
  limits,
  isProduction,
  formatError,
  plugins = [],
  logger,
}: {
  supergraphSdl: string
  sources: ReadonlyMap<string, SubgraphSource>
  limits: GatewayLimits
  isProduction: boolean
  formatError: FormatError
  /** Asked after the executor's own. */
  plugins?: readonly ApolloServerPlugin<GatewayContext>[]
  logger: Logger
}): Promise<OperationExecutor> {
  const apolloLogger = adaptLogger(logger)
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService({ name }) {
      const source = sources.get(name)
      if (source === undefined) throw new TypeError(`Expected a source for the subgraph ${name}, got none.`)
      return asDataSource(source)
    },
    validateSupergraph: false,
    experimental_approximateQueryPlanStoreMiB: Math.ceil((limits.maxKeptDocuments * PLAN_KIB) / 1_024),
    __exposeQueryPlanExperimental: false,
    logger: apolloLogger,
  })
  const server = new ApolloServer<GatewayContext>({
    gateway,
    nodeEnv: 'production',
    introspection: !isProduction,
    // formatError does, in linear time; the expression here takes minutes for a text that is made for it.
    hideSchemaDetailsFromClientErrors: false,
    // The gateway resolves them before.
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    documentStore: createDocumentStore(limits.maxKeptDocuments),
    parseOptions: { maxTokens: limits.maxTokens },
    formatError,
    logger: apolloLogger,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      refuseSubscriptions,
      refuseBadTokens,
      dropValueCompletion(logger),
      ...plugins,
    ],
  })
  await server.start()

  return {
    executeHttp: (httpGraphQLRequest, context) =>
      server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context }),
    async execute(request, contextValue) {
      const { body } = await server.executeOperation(request, { contextValue })
      if (body.kind === 'single') return body.singleResult
      throw new TypeError(`Expected a single result, got ${body.kind}.`)
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** Subscriptions are not run by this executor; found here too, since a persisted document is not read before. */
const refuseSubscriptions: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation }) {
        if (operation?.operation === 'subscription') throw subscriptionsNeedSocket()
      },
    }
  },
}

/** A bad token is no reason to refuse what a client with a bad token has to do. */
const refuseBadTokens: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation, contextValue: { refusal } }) {
        if (refusal !== null && !(operation !== undefined && makesSession(operation))) throw refusal
      },
    }
  },
}

/** What a subscription over HTTP is answered with. */
export function subscriptionsNeedSocket(): GraphQLError {
  return new GraphQLError('Subscriptions run over the WebSocket of this address (graphql-transport-ws).', {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })
}

/** `@apollo/gateway` tells clients of nulls that it had to spread; they are in the data, and for our log. */
function dropValueCompletion(logger: Logger): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body }, contextValue: { requestId } }) {
          if (body.kind !== 'single' || body.singleResult.extensions?.valueCompletion === undefined) return
          const { valueCompletion, ...extensions } = body.singleResult.extensions
          logger.warn({ requestId, valueCompletion }, 'gateway.value_completion')
          if (Object.keys(extensions).length > 0) body.singleResult.extensions = extensions
          else delete body.singleResult.extensions
        },
      }
    },
  }
}

function adaptLogger(logger: Logger) {
  return {
    debug: (message?: unknown) => logger.trace({ message }, 'apollo'),
    info: (message?: unknown) => logger.debug({ message }, 'apollo'),
    warn: (message?: unknown) => logger.warn({ message }, 'apollo'),
    error: (message?: unknown) => logger.error({ message }, 'apollo'),
  }
}
