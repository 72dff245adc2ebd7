import type { GraphQLError } from 'graphql'
import type { Viewer } from '../subgraphs/shared/auth/viewer.ts'
import type { SubgraphReply, SubgraphRequest } from '../subgraphs/shared/graphql/subgraph.ts'

/** What travels with one operation, or with one event of a subscription. */
export interface GatewayContext extends SubgraphRequest {
  /** The context's identity, also in copies: Apollo Server makes one before it runs anything. */
  readonly identity: object
  /** Whose points it takes: see limits/caller.ts. Empty for events of subscriptions, which take none. */
  readonly caller: string
  /** IP address it came from; empty for events of subscriptions. */
  readonly address: string
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Why the token that came with the request is no good; only what makes a session runs then. */
  readonly refusal: GraphQLError | null
  /** Contexts of in-process subgraphs by name, made when first needed, so that all fetches share their loaders. */
  readonly subgraphContexts: Map<string, unknown>
  /** What subgraphs want told beside their data; shared by copies. */
  readonly reply: SubgraphReply
}

/** Creates the context of an operation. */
export function createGatewayContext(
  viewer: Viewer | null,
  requestId: string,
  signal: AbortSignal,
  {
    refusal = null,
    caller = '',
    address = '',
    grant,
    refreshCookie,
  }: Partial<Pick<GatewayContext, 'refusal' | 'caller' | 'address' | 'grant' | 'refreshCookie'>> = {},
): GatewayContext {
  return {
    identity: {},
    viewer,
    requestId,
    ...(grant && { grant }),
    ...(refreshCookie && { refreshCookie }),
    signal,
    refusal,
    caller,
    address,
    subgraphContexts: new Map(),
    reply: {},
  }
}
