import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import { startStandaloneServer } from '@apollo/server/standalone'
import { printSchema } from 'graphql'
import { buildSupergraph } from '../../../gateway/supergraph.ts'
import { readSupergraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import type { LogEvent } from '../../../schema/live-event.ts'
import { scalarResolvers } from '../../../subgraphs/shared/graphql/scalars.ts'
import { makeFixtureRows } from './fixture-rows.ts'
import { createMemoryContexts, logTimes, type MemoryContext, readLogs } from './memory-resolvers.ts'
import { runPeer } from './peer-program.ts'
import type { Site } from './site.ts'
import { createViewerReader } from './viewer-reader.ts'

// Its best: one schema, so no second fetch and no plan; the same resolvers and loaders, a device straight out of its
// loader; Apollo Server's own standalone server in production mode with documents cached, and cache control off, which
// would instrument every field.
await runPeer<{ site: Site }, { url: string }>(async ({ site }) => {
  const contextOf = createMemoryContexts(makeFixtureRows(site.nowMs))
  const readViewer = await createViewerReader(site)
  const server = new ApolloServer<MemoryContext>({
    typeDefs: printSchema(buildSupergraph(readSupergraphSdl()).apiSchema),
    resolvers: {
      ...scalarResolvers,
      Query: { logs: readLogs },
      Log: {
        ...logTimes,
        device: ({ deviceId }: LogEvent, _: unknown, { deviceById }: MemoryContext) =>
          deviceById.load(deviceId),
      },
    },
    stopOnTerminationSignals: false,
    plugins: [ApolloServerPluginCacheControlDisabled()],
  })
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => contextOf(await readViewer(req)),
  })
  return { ready: { url }, close: () => server.stop() }
})
