import type { GraphQLSchema } from 'graphql'
import type { Viewer } from '../auth/viewer.ts'
import type { StreamStart } from '../live-topic/live-topics.ts'
import type { SpaceGrant } from '../space-access.ts'

/** The refresh cookie of a request whose answer can set one. */
export interface RefreshCookie {
  /** What the browser sent; null when it sent none. */
  readonly token: string | null
  /** A page of another origin has sent the request. */
  readonly isCrossOrigin: boolean
}

/** What a subgraph tells the door beside its data. Clients do not see it. */
export interface SubgraphReply {
  /** Refresh token for the browser to keep, for so many milliseconds; null takes away the one it has. */
  refreshCookie?: { readonly token: string; readonly maxAgeMs: number } | null
}

/** What the gateway knows of a request when it asks a subgraph. */
export interface SubgraphRequest {
  /** Who asks; null without a token. */
  readonly viewer: Viewer | null
  /** Follows the request through logs, from the door to the database. */
  readonly requestId: string
  /** The gateway vouches for this role of the viewer: it is not looked up again. */
  readonly grant?: SpaceGrant
  /** Where a subscription begins; read when it is opened. Default: at its topic's tail. */
  readonly start?: StreamStart
  /** Only with operations that begin, continue or end sessions, and only where the answer can set a cookie. */
  readonly refreshCookie?: RefreshCookie
}

/**
 * A subgraph ready to run: executed in-process by the gateway, or served over HTTP as its own role by
 * `createSubgraphServer`. Built from a subgraph's factory with `buildSubgraphSchema([{ typeDefs, resolvers }])`.
 */
export interface Subgraph {
  /** Its name in the supergraph. */
  readonly name: string
  readonly schema: GraphQLSchema
  /**
   * Makes the context that resolvers get, with DataLoaders of its own. Called once per gateway request and subgraph, and
   * once more for every event of a subscription, so that no loader outlives what it was asked for. What resolvers put
   * into `reply` is heeded where `refreshCookie` came with the request. Must not throw.
   */
  createContext(request: SubgraphRequest, reply?: SubgraphReply): unknown
}
