import type { SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import type { SubgraphOperation, SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { GatewayContext } from '../gateway-context.ts'

/** How the gateway reaches one subgraph, wherever it runs. */
export interface SubgraphSource extends Closable {
  /** Name of the subgraph in the supergraph. */
  readonly name: string
  /**
   * Runs a query or mutation. Never rejects: a subgraph that cannot be reached answers UNAVAILABLE errors at the fields
   * that stay empty for it.
   */
  fetch(operation: SubgraphOperation, context: GatewayContext): Promise<SubgraphResult>
  /**
   * Opens a subscription at `start` of its request. Never rejects: what refuses it is yielded as a result without data,
   * and is its last; else the first result is a mark. Marks may come between events too: see SubgraphResult.
   * `next()` rejects with a GraphQLError (UNAVAILABLE) when the subgraph is lost; `return()` lets go at once.
   * `readRequest` says for whom, again for each event where the subgraph is in-process.
   */
  subscribe(
    operation: SubgraphOperation,
    readRequest: () => SubgraphRequest,
  ): Promise<AsyncGenerator<SubgraphResult, undefined>>
}

interface Closable {
  [Symbol.asyncDispose](): Promise<void>
}
