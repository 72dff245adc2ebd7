import { GraphQLError } from 'graphql'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { toAppError } from '../../subgraphs/shared/errors.ts'
import type { SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { asGraphqlError } from '../authentication.ts'
import type { FormatError } from '../error-format.ts'
import { runPlan } from '../execution/plan-runner.ts'
import { createGatewayContext } from '../gateway-context.ts'
import { createEventPayload, type EventPayload } from './event-payload.ts'
import type { SubscriptionPlan } from './subscription-planner.ts'

/** Runs the plan of a subscription for one event. */
export interface EventRunner {
  /**
   * Answers the client's result of an event, with its cursor in the extensions. Never rejects: a deadline that passes
   * (UNAVAILABLE) and whatever else goes wrong are errors of the result, without data.
   */
  run(
    plan: SubscriptionPlan,
    variables: Readonly<Record<string, unknown>>,
    event: SubgraphResult,
    request: SubgraphRequest,
  ): Promise<EventPayload>
}

/** Creates a runner: a subscription is its query plan run once per event, with the first fetch already answered. */
export function createEventRunner({
  deadlineMs,
  formatError,
  logger,
}: {
  /** How long the fetches of one event may take together. */
  deadlineMs: number
  formatError: FormatError
  logger: Logger
}): EventRunner {
  const format = (error: GraphQLError) => formatError(error.toJSON(), error)

  return {
    async run(plan, variables, event, { viewer, requestId, grant }) {
      const cursor = event.extensions?.cursor
      const extensions = cursor === undefined ? undefined : { cursor }
      if (event.data === undefined)
        return createEventPayload(
          { errors: (event.errors ?? []).map(revive).map(format), extensions },
          cursor,
        )
      try {
        const { data, errors } = await withDeadline('The event', deadlineMs, signal =>
          runPlan(plan, variables, createGatewayContext(viewer, requestId, signal, { grant }), logger, event),
        )
        return createEventPayload({ ...(errors && { errors: errors.map(format) }), data, extensions }, cursor)
      } catch (thrown) {
        return createEventPayload({ errors: [format(toClientError(thrown, logger))], extensions }, cursor)
      }
    },
  }
}

/** Turns whatever was thrown into what a client may see. */
export function toClientError(thrown: unknown, logger: Logger): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  const error = toAppError(thrown)
  if (error.code === 'INTERNAL_SERVER_ERROR')
    logger.error({ err: error.cause }, 'gateway.subscription_failed')
  return asGraphqlError(error)
}

function revive({ message, path, extensions }: NonNullable<SubgraphResult['errors']>[number]): GraphQLError {
  return new GraphQLError(message, { path, extensions })
}
