import { randomUUID } from 'node:crypto'
import { GraphQLError } from 'graphql'
import { type Client, createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { sealInternalCredential } from '../../subgraphs/shared/auth/internal-credential.ts'
import type { SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import { mapAsyncIterator } from '../../subgraphs/shared/map-async-iterator.ts'
import { createResultQueue, type ResultQueue } from './result-queue.ts'
import type { SubgraphSource } from './subgraph-source.ts'

/** Events that may wait for one subscriber, as many as a live topic's reader keeps. */
const MAX_QUEUED_RESULTS = 1_000

/** A larger message closes the socket. */
const MAX_MESSAGE_BYTES = 16_777_216

/** A subgraph that answers neither the connection nor a ping within this time is lost. */
const ANSWER_DEADLINE_MS = 5_000
const PING_INTERVAL_MS = 10_000

/** The socket stays this long after its last subscription, for the next one. */
const IDLE_SOCKET_MS = 10_000

/**
 * Opens subscriptions at a subgraph's role, all over one WebSocket that is made when first needed. When that socket is
 * lost, each of them fails with UNAVAILABLE; the next one makes a new socket.
 */
export function createRemoteSubscriptions({
  name,
  url,
  secret,
  logger,
}: {
  name: string
  url: string
  secret: string
  logger: Logger
}): Pick<SubgraphSource, 'subscribe' | typeof Symbol.asyncDispose> {
  const open = new Set<ResultQueue>()
  let pongDeadline: NodeJS.Timeout | undefined

  const lost = () =>
    new GraphQLError(`The ${name} service was lost. Subscribe again.`, {
      extensions: { code: 'UNAVAILABLE' },
    })

  /** All at once and here, because the client would silently subscribe anew after a close with 1000. */
  function failAll(reason: unknown): void {
    clearTimeout(pongDeadline)
    if (open.size > 0)
      logger.error({ subgraph: name, subscriptions: open.size, reason }, 'gateway.upstream_lost')
    for (const queue of [...open]) queue.fail(lost())
  }

  const client: Client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: BoundedWebSocket,
    lazy: true,
    lazyCloseTimeout: IDLE_SOCKET_MS,
    retryAttempts: 0,
    connectionAckWaitTimeout: ANSWER_DEADLINE_MS,
    keepAlive: PING_INTERVAL_MS,
    connectionParams: () => ({
      internal: sealInternalCredential(secret, { viewer: null, requestId: randomUUID() }),
    }),
    on: {
      closed: event => failAll(describeClose(event)),
      ping(isReceived) {
        if (isReceived) return
        clearTimeout(pongDeadline)
        pongDeadline = setTimeout(() => client.terminate(), ANSWER_DEADLINE_MS)
      },
      pong(isReceived) {
        if (isReceived) clearTimeout(pongDeadline)
      },
    },
  })

  return {
    async subscribe({ query, variables, operationName }, readRequest) {
      let unsubscribe = () => {}
      const queue = createResultQueue(MAX_QUEUED_RESULTS, () => {
        open.delete(queue)
        unsubscribe()
      })
      open.add(queue)
      const { viewer, requestId, grant, start } = readRequest()
      unsubscribe = client.subscribe<Record<string, unknown>, SubgraphResult['extensions']>(
        {
          query,
          variables,
          operationName,
          extensions: { internal: sealInternalCredential(secret, { viewer, requestId, grant, start }) },
        },
        {
          next: result => queue.push(result as SubgraphResult),
          error: reason => queue.fail(readRefusal(reason) ?? lost()),
          complete: () => queue.end(),
        },
      )
      return mapAsyncIterator(queue, result => result)
    },
    async [Symbol.asyncDispose]() {
      for (const queue of [...open]) queue.fail(lost())
      clearTimeout(pongDeadline)
      client.terminate()
    },
  }
}

/** An `error` message carries GraphQL errors; everything else (a close, a failed connection) does not. */
function readRefusal(reason: unknown): GraphQLError | undefined {
  const [first] = Array.isArray(reason) ? reason : []
  if (typeof first?.message !== 'string') return undefined
  return new GraphQLError(first.message, { extensions: first.extensions })
}

function describeClose(event: unknown): string {
  if (typeof event !== 'object' || event === null || !('code' in event)) return 'closed'
  return `closed with ${event.code}`
}

/** graphql-ws makes the socket itself and hands it only address and protocol. */
class BoundedWebSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol, {
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      handshakeTimeout: ANSWER_DEADLINE_MS,
    })
  }
}
