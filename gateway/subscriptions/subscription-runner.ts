import { executeQueryPlan, type GraphQLDataSource } from '@apollo/gateway'
import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { toAppError } from '../../subgraphs/shared/errors.ts'
import type { SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { mapAsyncIterator } from '../../subgraphs/shared/map-async-iterator.ts'
import { asGraphqlError } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import { createGatewayContext } from '../gateway-context.ts'
import { asDataSource, type SubgraphSource } from '../sources/subgraph-source.ts'
import type { Supergraph } from '../supergraph.ts'
import type { SubscriptionPlan } from './subscription-planner.ts'

/** Runs planned subscriptions. */
export interface SubscriptionRunner {
  /**
   * Opens the primary fetch at its subgraph and yields the client's result of each event, in order; `extensions.cursor`
   * is the event's. `readRequest` is asked again for each event.
   *
   * Never ends silently: `next()` rejects with a GraphQLError that carries a code when the subgraph is lost or an event
   * cannot be run in time. `return()` closes the source at once.
   */
  run(
    plan: SubscriptionPlan,
    variables: Readonly<Record<string, unknown>>,
    readRequest: () => SubgraphRequest,
  ): Promise<AsyncGenerator<FormattedExecutionResult, undefined>>
}

/** Creates a runner: a subscription is its query plan run once per event, with the first fetch already answered. */
export function createSubscriptionRunner({
  supergraph,
  sources,
  eventDeadlineMs,
  formatError,
  logger,
}: {
  supergraph: Supergraph
  sources: ReadonlyMap<string, SubgraphSource>
  /** How long the fetches of one event may take together. */
  eventDeadlineMs: number
  formatError: FormatError
  logger: Logger
}): SubscriptionRunner {
  const { supergraphSchema, federationApiSchema } = supergraph
  const services = Object.fromEntries([...sources].map(([name, source]) => [name, asDataSource(source)]))

  /** The executor collects what fetches throw, too, whatever that is. */
  function formatErrors(errors: readonly Error[]) {
    return errors.map(error => {
      const graphqlError =
        error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error })
      return formatError(graphqlError.toJSON(), graphqlError)
    })
  }

  async function runEvent(
    plan: SubscriptionPlan,
    variables: Readonly<Record<string, unknown>>,
    event: SubgraphResult,
    request: SubgraphRequest,
  ): Promise<FormattedExecutionResult> {
    if (event.data === undefined) return { errors: formatErrors((event.errors ?? []).map(reviveError)) }
    const { primary, perEvent, operationContext } = plan
    const { data, errors, extensions } = await withDeadline('The event', eventDeadlineMs, signal =>
      executeQueryPlan(
        perEvent,
        {
          ...services,
          [primary.serviceName]: answerPrimary(services[primary.serviceName], primary.operation, event),
        },
        {
          request: { variables: { ...variables } },
          context: createGatewayContext(request.viewer, request.requestId, signal),
          // executeQueryPlan writes into it and fails without.
          metrics: {},
          logger,
        } as unknown as Parameters<typeof executeQueryPlan>[2],
        operationContext,
        supergraphSchema,
        federationApiSchema,
      ),
    )
    if (extensions?.valueCompletion !== undefined) {
      const { valueCompletion } = extensions
      logger.warn({ requestId: request.requestId, valueCompletion }, 'gateway.value_completion')
    }
    const cursor = event.extensions?.cursor
    return {
      ...(errors && { errors: formatErrors(errors) }),
      data,
      ...(cursor !== undefined && { extensions: { cursor } }),
    }
  }

  return {
    async run(plan, variables, readRequest) {
      const { primary } = plan
      const source = sources.get(primary.serviceName)
      if (source === undefined)
        throw new TypeError(`Expected a source for the subgraph ${primary.serviceName}, got none.`)
      const used = (primary.variableUsages ?? []).filter(name => Object.hasOwn(variables, name))
      const upstream = await source.subscribe(
        {
          query: primary.operation,
          operationName: primary.operationName,
          variables: Object.fromEntries(used.map(name => [name, variables[name]])),
        },
        readRequest,
      )
      return mapAsyncIterator(
        upstream,
        event => runEvent(plan, variables, event, readRequest()),
        error => toClientError(error, logger),
      )
    },
  }
}

/** Answers the primary fetch with the event, and every other fetch as always. */
function answerPrimary(
  service: GraphQLDataSource | undefined,
  operation: string,
  event: SubgraphResult,
): GraphQLDataSource {
  return {
    async process(options) {
      if (options.request.query === operation) return { data: event.data, errors: event.errors }
      if (service === undefined) throw new TypeError('Expected the service of the primary fetch, got none.')
      return service.process(options)
    },
  }
}

function reviveError({
  message,
  path,
  extensions,
}: NonNullable<SubgraphResult['errors']>[number]): GraphQLError {
  return new GraphQLError(message, { path, extensions })
}

/** graphql-ws passes on GraphQLErrors only. */
function toClientError(thrown: unknown, logger: Logger): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  const error = toAppError(thrown)
  if (error.code === 'INTERNAL_SERVER_ERROR')
    logger.error({ err: error.cause }, 'gateway.subscription_failed')
  return asGraphqlError(error)
}
