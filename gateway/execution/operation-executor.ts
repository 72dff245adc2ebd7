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
import { type FormattedExecutionResult, GraphQLError, type OperationDefinitionNode } from 'graphql'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { makesSession } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { GatewayLimits } from '../gateway-limits.ts'
import { createDocumentStore } from '../limits/document-store.ts'
import type { ChargeOperation } from '../limits/operation-charges.ts'
import { createKnownOperations, type KnownRequest, writeAnswer } from './known-operations.ts'
import type { PlanGateway } from './plan-gateway.ts'

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

/**
 * Starts an executor: Apollo Server 5 in front of the given gateway.
 *
 * A plain HTTP query whose document it has validated before goes to the gateway without it, which saves a quarter of
 * what such a request costs; an answer with errors, and everything unusual, still comes from Apollo Server. Plugins of
 * Apollo Server do not see those queries: what must hold for all belongs into `findRefusal` or `charge`.
 *
 * In production there is no introspection and no "did you mean". Batches and @defer are refused.
 */
export async function startOperationExecutor({
  gateway,
  limits,
  isProduction,
  formatError,
  charge,
  plugins = [],
  logger,
}: {
  gateway: PlanGateway
  limits: GatewayLimits
  isProduction: boolean
  formatError: FormatError
  /** Asked before a query that Apollo Server does not see. */
  charge?: ChargeOperation
  /** Asked after the executor's own. */
  plugins?: readonly ApolloServerPlugin<GatewayContext>[]
  logger: Logger
}): Promise<OperationExecutor> {
  const apolloLogger = adaptLogger(logger)
  const known = createKnownOperations(gateway.plans, limits.maxKeptDocuments)
  const server = new ApolloServer<GatewayContext>({
    gateway: gateway.asApolloGateway(known.add),
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
      refuseOperations,
      ...plugins,
    ],
  })
  await server.start()

  const askApollo = (
    httpGraphQLRequest: HTTPGraphQLRequest,
    context: () => Promise<GatewayContext>,
  ): Promise<HTTPGraphQLResponse> => server.executeHTTPGraphQLRequest({ httpGraphQLRequest, context })

  /** What it costs too much is told by Apollo Server, which asks for the charge too. */
  function mayAfford({ document, plan, variables }: KnownRequest, context: GatewayContext): boolean {
    try {
      charge?.(document, plan.operation, variables, context)
      return true
    } catch {
      return false
    }
  }

  return {
    async executeHttp(request, makeContext) {
      const found = known.find(request)
      if (found === undefined) return askApollo(request, makeContext)
      let context: GatewayContext
      try {
        context = await makeContext()
      } catch (error) {
        return askApollo(request, () => Promise.reject(error))
      }
      if (findRefusal(found.plan.operation, context) === null && mayAfford(found, context)) {
        const result = await gateway.run(found.plan, found.variables, context)
        if (result.errors === undefined) return writeAnswer(result.data)
        gateway.answerWith(context, result)
      }
      return askApollo(request, async () => context)
    },
    async execute(request, contextValue) {
      const { body } = await server.executeOperation(request, { contextValue })
      if (body.kind === 'single') return body.singleResult
      throw new TypeError(`Expected a single result, got ${body.kind}.`)
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/**
 * What forbids an operation to this caller, once it is known what is asked for. Every way to an answer asks here.
 *
 * Subscriptions are not run by this executor; found here too, since a persisted document is not read before. A bad token
 * is no reason to refuse what a client with a bad token has to do.
 */
function findRefusal(operation: OperationDefinitionNode, { refusal }: GatewayContext): GraphQLError | null {
  if (operation.operation === 'subscription') return refuseSubscription()
  return makesSession(operation) ? null : refusal
}

/** Asks `findRefusal` for what Apollo Server runs. */
const refuseOperations: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation, contextValue }) {
        const refusal = operation === undefined ? contextValue.refusal : findRefusal(operation, contextValue)
        if (refusal !== null) throw refusal
      },
    }
  },
}

/** What a subscription is answered with whose client takes no stream of events. */
export function refuseSubscription(): GraphQLError {
  return new GraphQLError(
    'Subscriptions run over the WebSocket of this address (graphql-transport-ws), or as a stream of events for those who ask with "Accept: text/event-stream" (graphql-sse).',
    { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } },
  )
}

function adaptLogger(logger: Logger) {
  return {
    debug: (message?: unknown) => logger.trace({ message }, 'apollo'),
    info: (message?: unknown) => logger.debug({ message }, 'apollo'),
    warn: (message?: unknown) => logger.warn({ message }, 'apollo'),
    error: (message?: unknown) => logger.error({ message }, 'apollo'),
  }
}
