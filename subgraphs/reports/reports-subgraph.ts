import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { readSubgraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { createReportsContext, type ReportsResources } from './context.ts'
import { createPlaceSpaces } from './place-spaces.ts'
import { createReportLane } from './report-lane.ts'
import { resolvers } from './resolvers/resolvers.ts'

/** Creates the reports subgraph: what happened, added up. Reads its SDL from schema/graphql. */
export function createReportsSubgraph(resources: ReportsResources): Subgraph {
  const places = createPlaceSpaces(resources.db)
  const lane = createReportLane()
  return {
    name: 'reports',
    // As an array: given bare, typeDefs and resolvers are read as two modules.
    schema: buildSubgraphSchema([{ typeDefs: parse(readSubgraphSdl('reports')), resolvers }]),
    createContext: request => createReportsContext({ ...resources, places, lane }, request),
  }
}
