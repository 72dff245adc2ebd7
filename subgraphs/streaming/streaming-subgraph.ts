import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { readSubgraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { createStreamingContext, type StreamingServices } from './context.ts'
import { resolvers } from './resolvers/resolvers.ts'

/** Creates the streaming subgraph: broadcasts, and the signaling of those who watch and send. Reads its SDL from schema/graphql. */
export function createStreamingSubgraph(services: StreamingServices): Subgraph {
  return {
    name: 'streaming',
    // As an array: given bare, typeDefs and resolvers are read as two modules.
    schema: buildSubgraphSchema([{ typeDefs: parse(readSubgraphSdl('streaming')), resolvers }]),
    createContext: request => createStreamingContext(services, request),
  }
}
