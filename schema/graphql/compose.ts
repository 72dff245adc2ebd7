import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'

/** A subgraph's part of the supergraph. */
export interface SubgraphSdl {
  readonly name: string
  readonly typeDefs: string
}

/**
 * Composes the supergraph SDL out of the subgraphs' SDL (Apollo Federation 2).
 *
 * Throws an Error that lists every composition error when they do not fit together.
 */
export function composeSupergraph(subgraphs: readonly SubgraphSdl[]): string {
  const result = composeServices(
    subgraphs.map(({ name, typeDefs }) => ({ name, typeDefs: parse(typeDefs), url: `nuvion:${name}` })),
  )
  if (result.supergraphSdl === undefined) {
    throw new Error(
      ['The subgraphs do not compose:', ...(result.errors ?? []).map(e => e.message)].join('\n- '),
    )
  }
  return result.supergraphSdl
}
