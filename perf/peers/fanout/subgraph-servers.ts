import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { GraphQLSchema, parse } from 'graphql'
import { handleProtocols } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import type { Viewer } from '../../../subgraphs/shared/auth/viewer.ts'
import type { Subgraph } from '../../../subgraphs/shared/graphql/subgraph.ts'
import {
  createSubgraphExecutor,
  type SubgraphExecutor,
  type SubgraphOperation,
  type SubgraphResult,
} from '../../../subgraphs/shared/graphql/subgraph-executor.ts'
import { createSubgraphServer } from '../../../subgraphs/shared/graphql/subgraph-server.ts'
import { readBody } from '../../../subgraphs/shared/http/read-body.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { mapAsyncIterator } from '../../../subgraphs/shared/map-async-iterator.ts'
import { createSiteVerifier } from '../gateway/viewer-reader.ts'
import { runPeer } from '../peer-program.ts'
import { startEventFeed } from './event-feed.ts'
import { createMemoryTopics } from './memory-topics.ts'
import type { FanoutSite } from './site.ts'
import { createFanoutSubgraphs } from './subgraphs.ts'

const MAX_BODY_BYTES = 8_388_608

type Verify = (authorization: string | undefined) => Promise<Viewer>

// Both subgraphs and the feed, the same process for every gateway over them; its CPU is nobody's. Under /internal they
// are served as the product serves its roles, under /public to gateways that show a user's token.
await runPeer<{ site: FanoutSite }, { url: string; feedPort: number }>(async ({ site }) => {
  const logger = createLogger({ level: 'warn', role: 'perf' })
  const topics = createMemoryTopics()
  const verifier = await createSiteVerifier(site)
  const verify: Verify = authorization => verifier.verify((authorization ?? '').replace('Bearer ', ''))
  const routes = new Map<
    string,
    Pick<ReturnType<typeof createSubgraphServer>, 'handleRequest' | 'handleUpgrade'>
  >()
  for (const subgraph of createFanoutSubgraphs(topics)) {
    const secret = site.internalSecret
    routes.set(`/internal/${subgraph.name}`, createSubgraphServer({ subgraph, secret, logger }))
    const executor = createSubgraphExecutor(subgraph, { logger })
    routes.set(`/public/${subgraph.name}`, createPublicServer(subgraph, executor, verify))
  }
  const server = createServer((request, response) => {
    const route = routes.get(request.url ?? '')
    if (route === undefined) return response.writeHead(404).end()
    route.handleRequest(request, response)
  })
  server.on('upgrade', (request, socket, head) => {
    const route = routes.get(request.url ?? '')
    if (route === undefined) return socket.destroy()
    route.handleUpgrade(request, socket, head)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const feed = await startEventFeed((topic, count) => topics.publish(site.spaceIds[topic] ?? '', count))
  return {
    ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, feedPort: feed.port },
    async close() {
      await feed[Symbol.asyncDispose]()
      server.closeAllConnections()
      server.close()
    },
  }
})

/** A subgraph as any gateway knows it: a user's token in the header of a POST, or in the parameters of a WebSocket. */
function createPublicServer(subgraph: Subgraph, executor: SubgraphExecutor, verify: Verify) {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const viewer = await verify(request.headers.authorization)
    const operation = JSON.parse((await readBody(request, MAX_BODY_BYTES)).toString()) as SubgraphOperation
    const context = subgraph.createContext({ viewer, requestId: 'perf' })
    const body = JSON.stringify(await executor.execute(operation, context, 'perf'))
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body)
  }

  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, handleProtocols })
  useServer<{ authorization?: string }, { viewer?: Viewer }>(
    {
      async onConnect({ connectionParams, extra }) {
        extra.viewer = await verify(connectionParams?.authorization)
      },
      onSubscribe: ({ extra }, _id, { query, variables, operationName }) => ({
        schema: NO_SCHEMA,
        document: parse(query, { noLocation: true }),
        operationName,
        contextValue: { viewer: extra.viewer, operation: { query, variables, operationName } },
      }),
      async subscribe({ contextValue }) {
        const { viewer, operation } = contextValue as { viewer: Viewer; operation: SubgraphOperation }
        const results = await executor.subscribe(operation, () => ({ viewer, requestId: 'perf' }))
        return mapAsyncIterator<SubgraphResult, object>(results, result =>
          result.extensions?.isMark ? undefined : result,
        ) as never
      },
    },
    sockets,
    0,
  )

  return {
    handleRequest(request: IncomingMessage, response: ServerResponse) {
      answer(request, response).catch(error => response.writeHead(500).end(String(error)))
    },
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      sockets.handleUpgrade(request, socket, head, opened => sockets.emit('connection', opened, request))
    },
  }
}

/** graphql-ws wants a schema beside the document; ours is the executor's. */
const NO_SCHEMA = new GraphQLSchema({})
