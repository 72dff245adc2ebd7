import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { readSubgraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { createDeviceContext, type DeviceResources } from './context.ts'
import { createLiveValues } from './live-values.ts'
import { createPasswordChecker } from './password-hasher.ts'
import { resolvers } from './resolvers/resolvers.ts'
import { createSessions } from './sessions.ts'

/** Creates the device subgraph: identity, topology, and what devices report. Reads its SDL from schema/graphql. */
export function createDeviceSubgraph(resources: DeviceResources): Subgraph {
  const { db, live, liveReader, access, signer, logger } = resources
  const services = {
    db,
    liveReader,
    access,
    sessions: createSessions({ db, signer, passwords: createPasswordChecker() }),
    liveValues: createLiveValues({ redis: live, logger }),
  }
  return {
    name: 'device',
    // As an array: given bare, typeDefs and resolvers are read as two modules.
    schema: buildSubgraphSchema([{ typeDefs: parse(readSubgraphSdl('device')), resolvers }]),
    createContext: request => createDeviceContext(services, request),
  }
}
