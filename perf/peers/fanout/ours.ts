import { createGateway } from '../../../gateway/create-gateway.ts'
import { startHttpServer } from '../../../gateway/http-server.ts'
import { createHttpSource } from '../../../gateway/sources/http-source.ts'
import { createInProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { readSupergraphSdl, SUBGRAPH_NAMES } from '../../../schema/graphql/subgraph-sdl.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../../subgraphs/shared/metrics.ts'
import { createSiteVerifier } from '../gateway/viewer-reader.ts'
import { runPeer } from '../peer-program.ts'
import { startEventFeed } from './event-feed.ts'
import { createMemoryTopics } from './memory-topics.ts'
import { readMemoryUse } from './memory-use.ts'
import type { FanoutSite } from './site.ts'
import { createFanoutSubgraphs, everyonesAccess } from './subgraphs.ts'

/** How a contestant is started; `subgraphsUrl` has the subgraphs, and with them the feed, in another process. */
export interface FanoutOptions {
  readonly site: FanoutSite
  readonly subgraphsUrl: string | null
}

/** What a contestant says when it is ready. */
export interface FanoutReady {
  /** Where it speaks graphql-transport-ws. */
  readonly url: string
  /** See startEventFeed; null where the subgraphs are elsewhere. */
  readonly feedPort: number | null
}

// The product's gateway on the product's HTTP server, made as main.ts makes it, with its default limits. Asked for
// `memory` it tells what it holds.
await runPeer<FanoutOptions, FanoutReady>(async ({ site, subgraphsUrl }) => {
  const logger = createLogger({ level: 'warn', role: 'perf' })
  const topics = createMemoryTopics()
  const sources =
    subgraphsUrl === null
      ? createFanoutSubgraphs(topics).map(subgraph => createInProcessSource(subgraph, { logger }))
      : SUBGRAPH_NAMES.map(name =>
          createHttpSource({
            name,
            url: `${subgraphsUrl}/internal/${name}`,
            secret: site.internalSecret,
            logger,
          }),
        )
  const verifier = await createSiteVerifier(site)
  const gateway = await createGateway({
    supergraphSdl: readSupergraphSdl(),
    sources,
    verifyAccessToken: token => verifier.verify(token),
    access: everyonesAccess,
    rights: { onChange: () => () => {} },
    sessions: { onEnded: () => () => {} },
    logger,
    metrics: createMetrics({ group: 'perf' }),
  })
  const routes = { graphql: gateway, isReady: gateway.ready }
  const server = await startHttpServer({ port: 0, host: '127.0.0.1', routes, logger })
  const feed = await startEventFeed((topic, count) => topics.publish(site.spaceIds[topic] ?? '', count))
  return {
    ready: {
      url: `${server.url.replace('http', 'ws')}/graphql`,
      feedPort: subgraphsUrl === null ? feed.port : null,
    },
    async answer(question) {
      if (question !== 'memory') throw new TypeError(`Expected to be asked for memory, got ${question}.`)
      return readMemoryUse()
    },
    async close() {
      await feed[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
})
