import { readFileSync } from 'node:fs'

/** Names of the subgraphs, in the order in which they are composed. */
export const SUBGRAPH_NAMES = ['device', 'events', 'reports', 'streaming'] as const

/** Name of one subgraph. */
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number]

/** Reads the SDL of one subgraph from its file in this folder. */
export function readSubgraphSdl(name: SubgraphName): string {
  return readFileSync(new URL(`./${name}.graphql`, import.meta.url), 'utf8')
}

/** Reads the composed supergraph SDL that is committed in this folder. */
export function readSupergraphSdl(): string {
  return readFileSync(new URL('./supergraph.graphql', import.meta.url), 'utf8')
}
