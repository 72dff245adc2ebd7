import type { ApolloServerOptionsWithGateway } from '@apollo/server'
import { type DocumentNode, GraphQLError } from 'graphql'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { Supergraph } from '../supergraph.ts'
import type { OperationPlan } from './operation-plan.ts'
import { type PlanResult, runPlan } from './plan-runner.ts'
import type { PlanStore } from './plan-store.ts'

/** What Apollo Server asks for a schema and an executor. */
export type ApolloGatewayInterface = ApolloServerOptionsWithGateway<GatewayContext>['gateway']

/** Our plans and our executor. */
export interface PlanGateway {
  /** Presents them to Apollo Server. `onValid` hears of each document that has passed validation. */
  asApolloGateway(onValid: (source: string, document: DocumentNode) => void): ApolloGatewayInterface
  /** Runs a plan, its variables checked. */
  run(
    plan: OperationPlan,
    variables: Readonly<Record<string, unknown>>,
    context: GatewayContext,
  ): Promise<PlanResult>
  /**
   * Makes a result what the executor answers for this context, instead of running anything: how a result that is there
   * already gets its errors formatted.
   */
  answerWith(context: GatewayContext, result: PlanResult): void
  readonly plans: PlanStore
}

/** Creates a gateway over a supergraph. */
export function createPlanGateway(options: {
  readonly supergraph: Supergraph
  readonly supergraphSdl: string
  readonly plans: PlanStore
  readonly logger: Logger
}): PlanGateway {
  const { supergraph, supergraphSdl, plans, logger } = options
  const answered = new WeakMap<object, PlanResult>()

  async function run(
    plan: OperationPlan,
    variables: Readonly<Record<string, unknown>>,
    context: GatewayContext,
  ): Promise<PlanResult> {
    const errors = plans.checkVariables(plan, variables)
    return errors === undefined ? runPlan(plan, variables, context, logger) : { errors }
  }

  return {
    plans,
    run,
    answerWith: (context, result) => void answered.set(context.identity, result),
    asApolloGateway: onValid => ({
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: supergraph.apiSchema, coreSupergraphSdl: supergraphSdl })
        return () => {}
      },
      async load() {
        return {
          async executor({ document, source, request, context }) {
            const gatewayContext = context as GatewayContext
            const known = answered.get(gatewayContext.identity)
            if (known !== undefined) return known
            onValid(source, document)
            const plan = plans.get(document, request.operationName)
            if (plan === undefined)
              return { errors: [new GraphQLError('The document has no such operation.')] }
            return run(plan, request.variables ?? {}, gatewayContext)
          },
        }
      },
      async stop() {},
    }),
  }
}
