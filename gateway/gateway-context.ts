import type { GraphQLError } from 'graphql'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import type { SubgraphRequest } from '../subgraphs/shared/graphql/subgraph.ts'

/** What travels with one operation, or with one event of a subscription. */
export interface GatewayContext extends SubgraphRequest {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Why the token that came with the request is no good; only what makes a session runs then. */
  readonly refusal: GraphQLError | null
  /** Contexts of in-process subgraphs by name, made when first needed, so that all fetches share their loaders. */
  readonly subgraphContexts: Map<string, unknown>
}

/** Creates the context of an operation. */
export function createGatewayContext(
  viewer: Viewer | null,
  requestId: string,
  signal: AbortSignal,
  refusal: GraphQLError | null = null,
): GatewayContext {
  return { viewer, requestId, signal, refusal, subgraphContexts: new Map() }
}
