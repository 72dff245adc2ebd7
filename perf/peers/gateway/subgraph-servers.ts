import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  INTERNAL_HEADER,
  openInternalCredential,
} from '../../../subgraphs/shared/auth/internal-credential.ts'
import type { SubgraphRequest } from '../../../subgraphs/shared/graphql/subgraph.ts'
import {
  createSubgraphExecutor,
  type SubgraphOperation,
} from '../../../subgraphs/shared/graphql/subgraph-executor.ts'
import { readBody } from '../../../subgraphs/shared/http/read-body.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { runPeer } from '../peer-program.ts'
import type { FederatedOptions } from './ours.ts'
import { createSubgraphs } from './subgraphs.ts'
import { createViewerReader } from './viewer-reader.ts'

const MAX_BODY_BYTES = 8_388_608

// Both subgraphs over HTTP, the same process for every gateway over them; its CPU is nobody's. A gateway may show our
// internal credential or pass on the user's token.
await runPeer<Omit<FederatedOptions, 'subgraphsUrl'>, { url: string }>(async ({ site, rows }) => {
  const logger = createLogger({ level: 'warn', role: 'perf' })
  const subgraphs = new Map(
    createSubgraphs(site, rows).map(subgraph => [
      `/${subgraph.name}/graphql`,
      { subgraph, executor: createSubgraphExecutor(subgraph, { logger }) },
    ]),
  )
  const readViewer = await createViewerReader(site)

  const server = createServer(async (request, response) => {
    const found = subgraphs.get(request.url ?? '')
    if (found === undefined || request.method !== 'POST') return response.writeHead(404).end()
    const credential = request.headers[INTERNAL_HEADER]
    const asked: SubgraphRequest | null =
      typeof credential === 'string'
        ? openInternalCredential(site.internalSecret, credential)
        : { viewer: await readViewer(request), requestId: 'perf' }
    if (asked === null) return response.writeHead(401).end()
    const operation = JSON.parse((await readBody(request, MAX_BODY_BYTES)).toString()) as SubgraphOperation
    const context = found.subgraph.createContext(asked)
    const body = JSON.stringify(await found.executor.execute(operation, context, asked.requestId))
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
})
