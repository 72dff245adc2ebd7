import { ApolloGateway } from '@apollo/gateway'
import type { FormattedExecutionResult } from 'graphql'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import { createSubgraphServer } from '../../../subgraphs/shared/graphql/subgraph-server.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { createErrorFormat } from '../../error-format.ts'
import { type OperationExecutor, startOperationExecutor } from '../../execution/operation-executor.ts'
import { createPlanGateway, type PlanGateway } from '../../execution/plan-gateway.ts'
import { createPlanStore } from '../../execution/plan-store.ts'
import { createGatewayContext } from '../../gateway-context.ts'
import { DEFAULT_GATEWAY_LIMITS } from '../../gateway-limits.ts'
import { startHttpServer } from '../../http-server.ts'
import { createHttpSource } from '../../sources/http-source.ts'
import { createInProcessSource } from '../../sources/in-process-source.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'
import { buildSupergraph } from '../../supergraph.ts'
import type { Shape } from '../start-test-gateway.ts'
import type { TestOperation } from './corpus.ts'

/** Runs an operation from its text to the client's answer. */
export type Run = (operation: TestOperation) => Promise<FormattedExecutionResult>

/** Our executor and that of `@apollo/gateway`, behind the same Apollo Server, over the same sources. */
export interface Executors extends AsyncDisposable {
  readonly ours: Run
  readonly stock: Run
}

const SECRET = 'site-secret'

/** Starts both executors over subgraphs in this process, or served by roles of their own. */
export async function startExecutors(
  supergraphSdl: string,
  subgraphs: readonly Subgraph[],
  shape: Shape,
): Promise<Executors> {
  const logger = createLogger({ level: 'fatal', role: 'test', destination: { write() {} } })
  await using opened = new AsyncDisposableStack()
  const sources = new Map<string, SubgraphSource>()
  for (const subgraph of subgraphs) {
    const source =
      shape === 'in-process' ? createInProcessSource(subgraph, { logger }) : await serve(subgraph)
    sources.set(subgraph.name, opened.use(source))
  }

  async function serve(subgraph: Subgraph): Promise<SubgraphSource> {
    const graphql = opened.use(createSubgraphServer({ subgraph, secret: SECRET, logger }))
    const server = opened.use(
      await startHttpServer({
        port: 0,
        host: '127.0.0.1',
        logger,
        routes: { graphql, isReady: () => true },
        drainDeadlineMs: 0,
      }),
    )
    return createHttpSource({ name: subgraph.name, url: `${server.url}/graphql`, secret: SECRET, logger })
  }

  const supergraph = buildSupergraph(supergraphSdl)
  const plans = createPlanStore(supergraph, sources)
  const stock = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name = '' }) => ({
      async process({ request, context }) {
        const { query = '', variables, operationName } = request
        const source = sources.get(name)
        if (source === undefined) throw new TypeError(`Expected a source for ${name}, got none.`)
        return source.fetch({ query, variables, operationName }, context as never)
      },
    }),
  })
  const start = async (gateway: PlanGateway): Promise<Run> => {
    const executor: OperationExecutor = opened.use(
      await startOperationExecutor({
        gateway,
        limits: DEFAULT_GATEWAY_LIMITS,
        isProduction: false,
        formatError: createErrorFormat({ logger }),
        logger,
      }),
    )
    return ({ query, variables }) =>
      executor.execute(
        { query, variables: variables === undefined ? undefined : { ...variables } },
        createGatewayContext(null, 'differential', new AbortController().signal),
      )
  }
  const planGateway = createPlanGateway({ supergraph, supergraphSdl, plans, logger })
  const ours = await start(planGateway)
  const stockRun = await start({ ...planGateway, asApolloGateway: () => stock })
  const kept = opened.move()
  return { ours, stock: stockRun, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
