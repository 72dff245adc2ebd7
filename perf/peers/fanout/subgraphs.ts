import { buildSubgraphSchema } from '@apollo/subgraph'
import DataLoader from 'dataloader'
import { parse } from 'graphql'
import { readSubgraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import { createEventsSubgraph } from '../../../subgraphs/events/events-subgraph.ts'
import { createReportsSubgraph } from '../../../subgraphs/reports/reports-subgraph.ts'
import { scalarResolvers } from '../../../subgraphs/shared/graphql/scalars.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import type { SpaceAccess } from '../../../subgraphs/shared/space-access.ts'
import { devices, type FanoutDevice } from './fanout-rows.ts'
import type { MemoryTopics } from './memory-topics.ts'

/** Everyone may read every space. */
export const everyonesAccess: SpaceAccess = { roleOf: async () => 'VIEWER' }

interface DeviceContext {
  readonly deviceById: DataLoader<string, FanoutDevice | null>
}

/**
 * Creates the subgraphs `events`, which is the product's own on topics in memory, `device`, whose rows are in memory
 * behind a DataLoader, and `reports`, which nobody asks for anything.
 */
export function createFanoutSubgraphs(topics: MemoryTopics): Subgraph[] {
  return [
    createEventsSubgraph({
      db: unused('database'),
      liveReader: topics,
      access: everyonesAccess,
      devices: unused('device directory'),
      livePublisher: unused('live publisher'),
      live: unused('live Redis'),
      logger: unused('logger'),
    }),
    createDeviceSubgraph(),
    createReportsSubgraph({
      db: unused('database'),
      access: everyonesAccess,
      devices: unused('device directory'),
      secret: '',
    }),
  ]
}

function createDeviceSubgraph(): Subgraph {
  const rows = new Map(devices.map(device => [device.id, device]))
  const resolvers = {
    ...scalarResolvers,
    Device: {
      __resolveReference: async ({ id }: { id: string }, { deviceById }: DeviceContext) =>
        deviceById.load(id),
    },
  }
  return {
    name: 'device',
    schema: buildSubgraphSchema([
      { typeDefs: parse(readSubgraphSdl('device')), resolvers: resolvers as never },
    ]),
    createContext: (): DeviceContext => ({
      deviceById: new DataLoader(async ids => ids.map(id => rows.get(id) ?? null)),
    }),
  }
}

/** What the subscription never touches. */
function unused<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get() {
      throw new TypeError(`Expected a subscription that asks no ${what}.`)
    },
  })
}
