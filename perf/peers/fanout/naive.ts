import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type DocumentNode, parse, validate } from 'graphql'
import { handleProtocols } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { runPlan } from '../../../gateway/execution/plan-runner.ts'
import { createPlanStore } from '../../../gateway/execution/plan-store.ts'
import { createGatewayContext } from '../../../gateway/gateway-context.ts'
import { createInProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { buildSupergraph } from '../../../gateway/supergraph.ts'
import { readSupergraphSdl } from '../../../schema/graphql/subgraph-sdl.ts'
import type { SubgraphResult } from '../../../subgraphs/shared/graphql/subgraph-executor.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'
import { mapAsyncIterator } from '../../../subgraphs/shared/map-async-iterator.ts'
import { createSiteVerifier } from '../gateway/viewer-reader.ts'
import { runPeer } from '../peer-program.ts'
import { startEventFeed } from './event-feed.ts'
import { createMemoryTopics } from './memory-topics.ts'
import type { FanoutOptions, FanoutReady } from './ours.ts'
import { createFanoutSubgraphs } from './subgraphs.ts'

interface Prepared {
  readonly plan: NonNullable<ReturnType<ReturnType<typeof createPlanStore>['get']>>
  readonly variables: Readonly<Record<string, unknown>>
  readonly viewer: Awaited<ReturnType<Awaited<ReturnType<typeof createSiteVerifier>>['verify']>>
}

// Its best: our own plans, executor and subgraphs, so that only sharing is compared, run as anyone would who has not
// thought of sharing: a stream, an execution and a JSON text for each subscriber, sent by graphql-ws as it does by
// default. Documents are parsed, validated and planned once for all; limits, deadlines, metrics and pings, which ours
// has, are left out; deflate is off.
await runPeer<FanoutOptions, FanoutReady>(async ({ site }) => {
  const logger = createLogger({ level: 'warn', role: 'perf' })
  const topics = createMemoryTopics()
  const sources = new Map(
    createFanoutSubgraphs(topics).map(subgraph => [
      subgraph.name,
      createInProcessSource(subgraph, { logger }),
    ]),
  )
  const supergraph = buildSupergraph(readSupergraphSdl())
  const { apiSchema } = supergraph
  const plans = createPlanStore(supergraph, sources)
  const documents = new Map<string, DocumentNode>()
  const verifier = await createSiteVerifier(site)

  function read(query: string): DocumentNode {
    const known = documents.get(query)
    if (known !== undefined) return known
    const document = parse(query, { noLocation: true })
    const [error] = validate(apiSchema, document)
    if (error !== undefined) throw error
    documents.set(query, document)
    return document
  }

  async function follow({ plan, variables, viewer }: Prepared) {
    const { fetch } = plan.primary ?? {}
    const source = sources.get(fetch?.serviceName ?? '')
    if (fetch === undefined || source === undefined) throw new TypeError('Expected a subscription.')
    const { operation: query, operationName } = fetch
    const request = { viewer, requestId: 'perf' }
    const events = await source.subscribe({ query, operationName, variables }, () => request)
    return mapAsyncIterator<SubgraphResult, object>(events, async event => {
      if (event.extensions?.isMark) return undefined
      const context = createGatewayContext(viewer, 'perf', new AbortController().signal)
      const { data, errors } = await runPlan(plan, variables, context, logger, event)
      return { ...(errors && { errors }), data, extensions: { cursor: event.extensions?.cursor } }
    })
  }

  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: false,
    handleProtocols,
  })
  const closing = useServer<{ authorization?: string }, { viewer?: Prepared['viewer'] }>(
    {
      async onConnect({ connectionParams, extra }) {
        extra.viewer = await verifier.verify((connectionParams?.authorization ?? '').replace('Bearer ', ''))
      },
      onSubscribe({ extra }, _id, { query, operationName, variables }) {
        const document = read(query)
        const plan = plans.get(document, operationName ?? undefined)
        const contextValue = { plan, variables: variables ?? {}, viewer: extra.viewer }
        return { schema: apiSchema, document, operationName, contextValue }
      },
      subscribe: args => follow(args.contextValue as Prepared) as never,
    },
    server,
    0,
  )
  await once(server, 'listening')
  const feed = await startEventFeed((topic, count) => topics.publish(site.spaceIds[topic] ?? '', count))
  return {
    ready: { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, feedPort: feed.port },
    async close() {
      await feed[Symbol.asyncDispose]()
      await closing.dispose()
    },
  }
})
