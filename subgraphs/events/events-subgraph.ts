import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { readSubgraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { createBulkTurns } from './bulk-turns.ts'
import { createEventsContext, type EventsResources } from './context.ts'
import { createFeeds } from './feed/feeds.ts'
import { resolvers } from './resolvers/resolvers.ts'

/** Creates the events subgraph: logs, and what follows them live. Reads its SDL from schema/graphql. */
export function createEventsSubgraph(resources: EventsResources): Subgraph {
  const bulkTurns = createBulkTurns()
  const feeds = createFeeds(resources)
  return {
    name: 'events',
    // As an array: given bare, typeDefs and resolvers are read as two modules.
    schema: buildSubgraphSchema([{ typeDefs: parse(readSubgraphSdl('events')), resolvers }]),
    createContext: request => createEventsContext({ ...resources, bulkTurns, feeds }, request),
  }
}
