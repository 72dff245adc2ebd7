import { createGateway } from '../../../gateway/create-gateway.ts'
import { startHttpServer } from '../../../gateway/http-server.ts'
import { createHttpSource } from '../../../gateway/sources/http-source.ts'
import { createInProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { readSupergraphSdl, SUBGRAPH_NAMES } from '../../../schema/graphql/subgraph-sdl.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../../subgraphs/shared/metrics.ts'
import { runPeer } from '../peer-program.ts'
import type { Site } from './site.ts'
import { createSubgraphs, type RowSource } from './subgraphs.ts'
import { createSiteVerifier } from './viewer-reader.ts'

/** How a contestant over subgraphs is started; `subgraphsUrl` has them served by another process. */
export interface FederatedOptions {
  readonly site: Site
  readonly rows: RowSource
  readonly subgraphsUrl: string | null
}

// The product's gateway on the product's HTTP server, made as main.ts makes it: with authentication, limits, request
// ids and metrics, which the peers are spared where they have none.
await runPeer<FederatedOptions, { url: string }>(async ({ site, rows, subgraphsUrl }) => {
  const logger = createLogger({ level: 'warn', role: 'perf' })
  const secret = site.internalSecret
  const sources =
    subgraphsUrl === null
      ? createSubgraphs(site, rows).map(subgraph => createInProcessSource(subgraph, { logger }))
      : SUBGRAPH_NAMES.map(name =>
          createHttpSource({ name, url: `${subgraphsUrl}/${name}/graphql`, secret, logger }),
        )
  const verifier = await createSiteVerifier(site)
  const gateway = await createGateway({
    supergraphSdl: readSupergraphSdl(),
    sources,
    verifyAccessToken: token => verifier.verify(token),
    access: { roleOf: async () => null },
    rights: { onChange: () => () => {} },
    sessions: { onEnded: () => () => {} },
    logger,
    metrics: createMetrics({ group: 'perf' }),
  })
  const routes = { graphql: gateway, isReady: gateway.ready }
  const server = await startHttpServer({ port: 0, host: '127.0.0.1', routes, logger })
  return {
    ready: { url: `${server.url}/graphql` },
    async close() {
      await server[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
})
