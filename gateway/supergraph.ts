import { Supergraph as FederationSupergraph, type Schema } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'

/** The supergraph in the forms that planning and running operations need. */
export interface Supergraph {
  /** Names of its subgraphs. */
  readonly subgraphNames: readonly string[]
  /** What clients see. */
  readonly apiSchema: GraphQLSchema
  /** The same, as the planner wants it. */
  readonly federationApiSchema: Schema
  /** With the join directives. */
  readonly supergraphSchema: GraphQLSchema
  readonly planner: QueryPlanner
}

/** Builds the forms of a composed supergraph. Throws when the SDL is not one. */
export function buildSupergraph(supergraphSdl: string): Supergraph {
  const supergraph = FederationSupergraph.build(supergraphSdl, { validateSupergraph: false })
  const federationApiSchema = supergraph.apiSchema()
  return {
    subgraphNames: supergraph.subgraphsMetadata().map(({ name }) => name),
    apiSchema: federationApiSchema.toGraphQLJSSchema(),
    federationApiSchema,
    supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
    planner: new QueryPlanner(supergraph),
  }
}
