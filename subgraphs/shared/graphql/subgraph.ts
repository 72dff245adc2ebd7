import type { GraphQLSchema } from 'graphql'
import type { Viewer } from '../auth/viewer.ts'
import type { StreamStart } from '../live-topic/live-topics.ts'
import type { SpaceGrant } from '../space-access.ts'

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
   * once more for every event of a subscription, so that no loader outlives what it was asked for. Must not throw.
   */
  createContext(request: SubgraphRequest): unknown
}
