import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { INTERNAL_HEADER } from '../../subgraphs/shared/auth/internal-credential.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import type { SubgraphOperation, SubgraphResult } from '../../subgraphs/shared/graphql/subgraph-executor.ts'
import { readBody } from '../../subgraphs/shared/http/read-body.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { GatewayContext } from '../gateway-context.ts'
import { createRemoteSubscriptions } from './remote-subscriptions.ts'
import { sealRequestCredential } from './request-credential.ts'
import type { SubgraphSource } from './subgraph-source.ts'
import { unavailableResult } from './unavailable-result.ts'

/** How a subgraph's role is reached. */
export interface HttpSourceOptions {
  /** Name of the subgraph in the supergraph. */
  readonly name: string
  /** Address of its `/graphql`, `http:` or `https:`; its WebSocket is there too. */
  readonly url: string
  /** The site's secret for internal credentials. */
  readonly secret: string
  readonly logger: Logger
  /** Of one fetch. Default 10 s. */
  readonly deadlineMs?: number
  /** A larger answer counts as none. Default 16 MiB. */
  readonly maxResponseBytes?: number
  /** Connections at once. Default 64; more fetches wait for one. */
  readonly maxConnections?: number
}

/**
 * Creates a source for a subgraph that runs as a role of its own: one keep-alive pool for fetches, one WebSocket for
 * subscriptions, each under the internal credential that carries the viewer's claims.
 */
export function createHttpSource(options: HttpSourceOptions): SubgraphSource {
  const { name, url, secret, logger } = options
  const { deadlineMs = 10_000, maxResponseBytes = 16_777_216, maxConnections = 64 } = options
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const isTls = protocol === 'https:'
  const agentOptions = { keepAlive: true, maxSockets: maxConnections, scheduling: 'lifo' } as const
  const agent = isTls ? new TlsAgent(agentOptions) : new Agent(agentOptions)
  const send = isTls ? httpsRequest : httpRequest
  // Read once: node would read an address again for each request.
  const target = {
    method: 'POST',
    agent,
    // An IPv6 address stands in brackets in URLs alone.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? undefined : Number(port),
    path: `${pathname}${search}`,
  }
  const subscriptions = createRemoteSubscriptions({ name, url, secret, logger })

  function post(body: string, context: GatewayContext, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': context.requestId,
      [INTERNAL_HEADER]: sealRequestCredential(secret, context),
    }
    const request = send({ ...target, headers, signal })
    request.once('response', resolve)
    request.once('error', error => reject(new RequestFailure(error, request.reusedSocket)))
    request.end(body)
    return promise
  }

  async function ask(
    operation: SubgraphOperation,
    context: GatewayContext,
    signal: AbortSignal,
  ): Promise<SubgraphResult> {
    const body = JSON.stringify(operation)
    const response = await post(body, context, signal).catch(error => {
      // A kept connection that the other side had just closed never carried the request (RFC 9112 §9.3.1).
      if (error instanceof RequestFailure && error.neverBegan && !operation.query.startsWith('mutation'))
        return post(body, context, signal)
      throw error
    })
    const answer = await readBody(response, maxResponseBytes, signal)
    if (response.statusCode !== 200)
      throw new Error(`Expected status 200, got ${response.statusCode}: ${answer.subarray(0, 200)}`)
    const result: SubgraphResult = JSON.parse(answer.toString())
    Object.assign(context.reply, result.extensions?.reply)
    return result
  }

  return {
    name,
    async fetch(operation, context) {
      const abort = new AbortController()
      const follow = () => abort.abort(context.signal.reason)
      if (context.signal.aborted) follow()
      context.signal.addEventListener('abort', follow)
      try {
        return await withDeadline(
          `The ${name} service`,
          deadlineMs,
          signal => ask(operation, context, signal),
          abort,
        )
      } catch (error) {
        if (!context.signal.aborted)
          logger.error({ subgraph: name, requestId: context.requestId, err: error }, 'gateway.fetch_failed')
        return unavailableResult(operation, name)
      } finally {
        context.signal.removeEventListener('abort', follow)
      }
    },
    subscribe: subscriptions.subscribe,
    async [Symbol.asyncDispose]() {
      await subscriptions[Symbol.asyncDispose]()
      agent.destroy()
    },
  }
}

/** How writing to a kept connection fails that the other side has closed. */
const LOST = new Set(['ECONNRESET', 'EPIPE'])

/** A request that got no answer. */
class RequestFailure extends AppError {
  readonly neverBegan: boolean

  constructor(cause: Error, isReusedSocket: boolean) {
    super('UNAVAILABLE', 'The service cannot be reached.', { cause })
    this.neverBegan = isReusedSocket && 'code' in cause && LOST.has(String(cause.code))
  }
}
