import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { readSubgraphSdl, type SubgraphName } from '../../../schema/graphql/subgraph-sdl.ts'
import type { LogEvent } from '../../../schema/live-event.ts'
import { createDeviceDirectory } from '../../../subgraphs/device/device-directory.ts'
import { createDeviceSubgraph } from '../../../subgraphs/device/device-subgraph.ts'
import { createEventsSubgraph } from '../../../subgraphs/events/events-subgraph.ts'
import { createReportsSubgraph } from '../../../subgraphs/reports/reports-subgraph.ts'
import { scalarResolvers } from '../../../subgraphs/shared/graphql/scalars.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import { createLivePublisher } from '../../../subgraphs/shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../../../subgraphs/shared/live-topic/live-reader.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { openMysql } from '../../../subgraphs/shared/mysql/open-mysql.ts'
import { createSpaceAccess } from '../../../subgraphs/shared/permissions/space-access.ts'
import { openRedis } from '../../../subgraphs/shared/redis/open-redis.ts'
import { makeFixtureRows } from './fixture-rows.ts'
import { createMemoryContexts, logTimes, type MemoryContext, readLogs } from './memory-resolvers.ts'
import type { Site } from './site.ts'

/** Where the rows of a contestant come from. */
export type RowSource = 'memory' | 'database'

/** Creates the subgraphs over the rows of the site; what nobody asks for here has no resolvers. */
export function createSubgraphs(site: Site, rows: RowSource): Subgraph[] {
  return rows === 'memory' ? createMemorySubgraphs(site) : createDatabaseSubgraphs(site)
}

/** Our SDL with resolvers and loaders over rows in memory: what is left is the gateway and the execution. */
function createMemorySubgraphs({ nowMs }: Site): Subgraph[] {
  const contextOf = createMemoryContexts(makeFixtureRows(nowMs))
  const subgraph = (name: SubgraphName, resolvers: Record<string, unknown>): Subgraph => ({
    ...createBareSubgraph(name, resolvers),
    createContext: ({ viewer }) => contextOf(viewer),
  })
  return [
    subgraph('device', {
      Device: {
        __resolveReference: async ({ id }: { id: string }, { deviceById }: MemoryContext) =>
          deviceById.load(id),
      },
    }),
    subgraph('events', {
      Query: { logs: readLogs },
      Log: { ...logTimes, device: ({ deviceId }: LogEvent) => ({ id: deviceId }) },
    }),
    // Nobody asks it for anything.
    subgraph('reports', {}),
    createBareSubgraph('streaming'),
  ]
}

/** The product's own subgraphs, wired as the product wires them. */
function createDatabaseSubgraphs({ databaseUrl, redisUrl }: Site): Subgraph[] {
  const logger = createLogger({ level: 'warn', role: 'perf' })
  const { db } = openMysql({ url: databaseUrl, poolSize: 10 })
  const { redis: live } = openRedis({ url: redisUrl, name: 'perf' })
  const liveReader = startLiveReader({ url: redisUrl, redis: live, logger })
  const access = createSpaceAccess({ db })
  const signer = { signUser: refuse, signDevice: refuse }
  const devices = createDeviceDirectory({ db })
  return [
    createDeviceSubgraph({ db, live, liveReader, access, signer, secret: '', logger }),
    createEventsSubgraph({
      db,
      liveReader,
      livePublisher: createLivePublisher({ redis: live }),
      live,
      access,
      devices,
      logger,
    }),
    createReportsSubgraph({ db, access, devices, secret: '' }),
    createBareSubgraph('streaming'),
  ]
}

function createBareSubgraph(name: SubgraphName, resolvers: Record<string, unknown> = {}): Subgraph {
  const typeDefs = parse(readSubgraphSdl(name))
  return {
    name,
    schema: buildSubgraphSchema([{ typeDefs, resolvers: { ...scalarResolvers, ...resolvers } as never }]),
    createContext: () => ({}),
  }
}

function refuse(): never {
  throw new Error('Nobody signs in here.')
}
