import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import { startStandaloneServer } from '@apollo/server/standalone'
import { printSchema } from 'graphql'
import { buildSupergraph } from '../../../gateway/supergraph.ts'
import { readSupergraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import type { LogEvent } from '../../../schema/live-event.ts'
import { resolvers as device } from '../../../subgraphs/device/resolvers/resolvers.ts'
import { resolvers as events } from '../../../subgraphs/events/resolvers/resolvers.ts'
import type { Viewer } from '../../../subgraphs/shared/auth/viewer.ts'
import { scalarResolvers } from '../../../subgraphs/shared/graphql/scalars.ts'
import { runPeer } from '../peer-program.ts'
import { makeFixtureRows } from './fixture-rows.ts'
import { createMemoryContexts, logTimes, type MemoryContext, readLogs } from './memory-resolvers.ts'
import type { Site } from './site.ts'
import { createSubgraphs, type RowSource } from './subgraphs.ts'
import { createViewerReader } from './viewer-reader.ts'

/** Resolvers of one schema for the operation that is measured, and what makes their context. */
interface SingleSchema {
  readonly query: Record<string, unknown>
  readonly log: Record<string, unknown>
  readonly contextOf: (viewer: Viewer | null) => object
}

// Its best: one schema, so no second fetch and no plan; the same resolvers and loaders, a device straight out of its
// loader; Apollo Server's own standalone server in production mode with documents cached, and cache control off, which
// would instrument every field.
await runPeer<{ site: Site; rows: RowSource }, { url: string }>(async ({ site, rows }) => {
  const { query, log, contextOf } = rows === 'memory' ? overMemory(site) : overDatabase(site)
  const readViewer = await createViewerReader(site)
  const server = new ApolloServer<object>({
    typeDefs: printSchema(buildSupergraph(readSupergraphSdl()).apiSchema),
    resolvers: { ...scalarResolvers, Query: query, Log: log } as never,
    stopOnTerminationSignals: false,
    plugins: [ApolloServerPluginCacheControlDisabled()],
  })
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => contextOf(await readViewer(req)),
  })
  return { ready: { url }, close: () => server.stop() }
})

function overMemory({ nowMs }: Site): SingleSchema {
  return {
    query: { logs: readLogs },
    log: {
      ...logTimes,
      device: ({ deviceId }: LogEvent, _: unknown, { deviceById }: MemoryContext) =>
        deviceById.load(deviceId),
    },
    contextOf: createMemoryContexts(makeFixtureRows(nowMs)),
  }
}

/** Contexts of both subgraphs, side by side. */
interface BothContexts {
  readonly device: unknown
  readonly events: unknown
}

type FieldResolver = (parent: unknown, args: unknown, context: unknown) => unknown
type ReferenceResolver = (reference: { id: string }, context: unknown) => unknown

/** The product's own resolvers: each with the context it knows, and a device found as `_entities` would find it. */
function overDatabase(site: Site): SingleSchema {
  const [deviceSubgraph, eventsSubgraph] = createSubgraphs(site, 'database')
  const readLogPage = events.Query?.logs as FieldResolver
  const findDevice = device.Device?.__resolveReference as ReferenceResolver
  return {
    query: {
      logs: (parent: unknown, args: unknown, context: BothContexts) =>
        readLogPage(parent, args, context.events),
    },
    log: {
      ...logTimes,
      device: ({ deviceId }: LogEvent, _: unknown, context: BothContexts) =>
        findDevice({ id: deviceId }, context.device),
    },
    contextOf(viewer): BothContexts {
      const request = { viewer, requestId: 'perf' }
      return {
        device: deviceSubgraph?.createContext(request),
        events: eventsSubgraph?.createContext(request),
      }
    },
  }
}
