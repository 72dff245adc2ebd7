import { ApolloGateway, LocalGraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import { startStandaloneServer } from '@apollo/server/standalone'
import { readSupergraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import type { Viewer } from '../../../subgraphs/shared/auth/viewer.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import { runPeer } from '../peer-program.ts'
import type { FederatedOptions } from './ours.ts'
import { createSubgraphs } from './subgraphs.ts'
import { createViewerReader } from './viewer-reader.ts'

interface StockContext {
  readonly viewer: Viewer | null
  readonly authorization: string
  /** Contexts of the subgraphs, so that all fetches of a request share their loaders, as ours do. */
  readonly subgraphContexts: Map<string, unknown>
}

// Its best: ApolloGateway with its own defaults (plan cache warm, no reporting) in production mode, its in-process data
// source (no HTTP at all) or its keep-alive remote one, on Apollo's own standalone server, which since version 5 is
// plain node:http; cache control, the one default plugin that costs something per request, is off.
await runPeer<FederatedOptions, { url: string }>(async ({ site, rows, subgraphsUrl }) => {
  const subgraphs = subgraphsUrl === null ? createSubgraphs(site, rows) : []
  const gateway = new ApolloGateway({
    supergraphSdl: readSupergraphSdl(),
    buildService({ name }) {
      if (subgraphsUrl !== null) return createRemoteSource(`${subgraphsUrl}/${name}/graphql`)
      const subgraph = subgraphs.find(one => one.name === name)
      if (subgraph === undefined) throw new TypeError(`Expected the subgraph ${name}, got none.`)
      return createLocalSource(subgraph)
    },
  })
  const server = new ApolloServer<StockContext>({
    gateway,
    stopOnTerminationSignals: false,
    plugins: [ApolloServerPluginCacheControlDisabled()],
  })
  const readViewer = await createViewerReader(site)
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => ({
      viewer: await readViewer(req),
      authorization: req.headers.authorization ?? '',
      subgraphContexts: new Map(),
    }),
  })
  return { ready: { url }, close: () => server.stop() }
})

function createLocalSource({ name, schema, createContext }: Subgraph): LocalGraphQLDataSource {
  const source = new LocalGraphQLDataSource(schema)
  const process = source.process.bind(source)
  source.process = options => {
    const { viewer, subgraphContexts } = options.context as StockContext
    let context = subgraphContexts.get(name)
    if (context === undefined) {
      context = createContext({ viewer, requestId: 'perf' })
      subgraphContexts.set(name, context)
    }
    return process({ ...options, context } as never)
  }
  return source
}

function createRemoteSource(url: string): RemoteGraphQLDataSource {
  return new RemoteGraphQLDataSource({
    url,
    willSendRequest({ request, context }) {
      const { authorization } = context as Partial<StockContext>
      if (authorization !== undefined) request.http?.headers.set('authorization', authorization)
    },
  })
}
