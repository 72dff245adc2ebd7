import { type FormattedExecutionResult, GraphQLError } from 'graphql'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { toAppError } from '../../subgraphs/shared/errors.ts'
import type { SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { mapAsyncIterator } from '../../subgraphs/shared/map-async-iterator.ts'
import { asGraphqlError } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import { runPlan } from '../execution/plan-runner.ts'
import { createGatewayContext } from '../gateway-context.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
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
  sources,
  eventDeadlineMs,
  formatError,
  logger,
}: {
  sources: ReadonlyMap<string, SubgraphSource>
  /** How long the fetches of one event may take together. */
  eventDeadlineMs: number
  formatError: FormatError
  logger: Logger
}): SubscriptionRunner {
  function formatErrors(errors: readonly GraphQLError[]) {
    return errors.map(error => formatError(error.toJSON(), error))
  }

  async function runEvent(
    plan: SubscriptionPlan,
    variables: Readonly<Record<string, unknown>>,
    event: SubgraphResult,
    request: SubgraphRequest,
  ): Promise<FormattedExecutionResult> {
    if (event.data === undefined) return { errors: formatErrors((event.errors ?? []).map(reviveError)) }
    const { data, errors } = await withDeadline('The event', eventDeadlineMs, signal =>
      runPlan(
        plan,
        variables,
        createGatewayContext(request.viewer, request.requestId, signal),
        logger,
        event,
      ),
    )
    const cursor = event.extensions?.cursor
    return {
      ...(errors && { errors: formatErrors(errors) }),
      data,
      ...(cursor !== undefined && { extensions: { cursor } }),
    }
  }

  return {
    async run(plan, variables, readRequest) {
      const { fetch: primary } = plan.primary
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
        event => (event.extensions?.isMark ? undefined : runEvent(plan, variables, event, readRequest())),
        error => toClientError(error, logger),
      )
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
