import type { Subgraph } from '../../subgraphs/shared/graphql/subgraph.ts'
import { createSubgraphExecutor } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { SubgraphSource } from './subgraph-source.ts'

/**
 * Creates a source for a subgraph of this process. All fetches of one operation share one subgraph context, and so its
 * DataLoaders; every event of a subscription has a context of its own.
 */
export function createInProcessSource(subgraph: Subgraph, { logger }: { logger: Logger }): SubgraphSource {
  const executor = createSubgraphExecutor(subgraph, { logger })

  function contextOf(context: GatewayContext): unknown {
    if (!context.subgraphContexts.has(subgraph.name)) {
      const { viewer, requestId, grant, refreshCookie, reply } = context
      const made = subgraph.createContext({ viewer, requestId, grant, refreshCookie }, reply)
      context.subgraphContexts.set(subgraph.name, made)
    }
    return context.subgraphContexts.get(subgraph.name)
  }

  return {
    name: subgraph.name,
    fetch: (operation, context) => executor.execute(operation, contextOf(context), context.requestId),
    subscribe: executor.subscribe,
    async [Symbol.asyncDispose]() {},
  }
}
