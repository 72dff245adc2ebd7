import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpHandoff, HttpPath } from '../subgraphs/shared/http/http-handoff.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { injectSocket } from '../subgraphs/shared/supervisor/socket-handoff.ts'
import { boundBody } from './body-deadline.ts'
import { createHttpPaths } from './http-paths.ts'
import { createInFlight } from './in-flight.ts'

/** Who answers what; a path without someone is answered with 404. */
export interface HttpRoutes {
  readonly graphql?: HttpHandoff
  /** The STOMP door, wherever it runs. It gets everything at and under `/stomp`. */
  readonly stomp?: HttpHandoff
  /** What else there is, the longest prefix first, where none of the above has the path. Default: nothing. */
  readonly paths?: readonly HttpPath[]
  /** The JSON Web Key Set (RFC 7517) as an object. */
  readonly readJwks?: () => object
  /** Whether the process can serve; asked by `/readyz`. */
  readonly isReady: () => boolean | Promise<boolean>
}

/** How the server listens. */
export interface HttpServerOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** Default: all addresses. */
  readonly host?: string
  readonly routes: HttpRoutes
  readonly logger: Logger
  /** How long requests in flight may take to finish when the server stops. Default 4 s. */
  readonly drainDeadlineMs?: number
  /** How long a body may take to come, where the path's handler does not see to it. Default 30 s. */
  readonly bodyDeadlineMs?: number
}

/** A server that listens. */
export interface HttpServer {
  readonly url: string
  readonly port: number
  /** Serves a connection that another process has accepted and read `head` of: see socket-handoff.ts. */
  adopt(head: string, socket: Socket): void
  /**
   * Stops listening, finishes the requests in flight under the drain deadline and closes their connections. Upgraded
   * connections, streams, and requests of the STOMP door, belong to those they were handed to.
   */
  [Symbol.asyncDispose](): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
/** Longer than the idle time of usual load balancers, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const MAX_HEADER_BYTES = 16_384

/**
 * Starts the public HTTP server of a process: one port for GraphQL, STOMP, probes, keys and further paths. Rejects when
 * it cannot listen, and as createHttpPaths throws.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { port, host, routes, logger, drainDeadlineMs = 4_000, bodyDeadlineMs = 30_000 } = options
  const paths = createHttpPaths(routes.paths ?? [])
  const inFlight = createInFlight()
  const unanswered = new Set<ServerResponse>()
  let isDraining = false

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Of each request by itself: some bodies may take longer.
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Some clients offer HTTP/2 (h2c) with every first request; a server may ignore that (RFC 9110 §7.8).
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    (request, response) => {
      response.on('error', error => logger.debug({ err: error }, 'http.response_failed'))
      const path = pathOf(request)
      if (!paths.find(path)?.boundsBodies) boundBody(request, response, bodyDeadlineMs)
      if (isStomp(path) && routes.stomp !== undefined) return routes.stomp.handleRequest(request, response)
      if (isDraining) response.setHeader('connection', 'close')
      unanswered.add(response)
      void inFlight.track(async () => {
        const answered = Promise.withResolvers<void>()
        response.once('close', answered.resolve)
        answer(path, request, response, answered.resolve).catch(error => {
          logger.error({ err: error, path }, 'http.request_failed')
          if (!response.headersSent) respond(response, 500, 'Internal error\n')
        })
        await answered.promise
        unanswered.delete(response)
      })
    },
  )
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = pathOf(request)
    const fixed = isStomp(path) ? routes.stomp : path === '/graphql' ? routes.graphql : undefined
    const handoff = fixed ?? (isKnown(path, routes) ? undefined : paths.find(path)?.handler)
    if (handoff?.handleUpgrade !== undefined) return handoff.handleUpgrade(request, socket, head)
    socket.on('error', error => logger.debug({ err: error }, 'http.upgrade_failed'))
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })

  async function answer(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    onStream: () => void,
  ): Promise<void> {
    if (path === '/graphql' && routes.graphql !== undefined)
      return routes.graphql.handleRequest(request, response, onStream)
    const handler = isKnown(path, routes) ? undefined : paths.find(path)?.handler
    if (handler !== undefined) return handler.handleRequest(request, response, onStream)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return respond(response, isKnown(path, routes) ? 405 : 404, 'Not found here\n')
    }
    if (path === '/healthz') return respond(response, 200, 'alive\n')
    if (path === '/readyz') {
      const isReady = !isDraining && (await routes.isReady())
      return respond(response, isReady ? 200 : 503, isReady ? 'ready\n' : 'not ready\n')
    }
    if (path === '/.well-known/jwks.json' && routes.readJwks !== undefined) {
      response.setHeader('cache-control', 'public, max-age=300')
      return respond(response, 200, JSON.stringify(routes.readJwks()), 'application/json')
    }
    respond(response, 404, 'Not found\n')
  }

  server.listen({ port, host })
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  return {
    port: address.port,
    url: `http://${hostOfUrl(host)}:${address.port}`,
    adopt: (head, socket) => injectSocket(server, head, socket),
    async [Symbol.asyncDispose]() {
      isDraining = true
      server.close()
      server.closeIdleConnections()
      await inFlight.drain(drainDeadlineMs)
      for (const response of unanswered) breakOff(response)
      server.closeIdleConnections()
    },
  }
}

/** Reset if it has begun, as HTTP/1.0 takes a connection that ends for the end of the answer. */
function breakOff(response: ServerResponse): void {
  if (response.headersSent) response.socket?.resetAndDestroy()
  response.destroy()
}

/** How this machine reaches a server that listens on `host`. */
function hostOfUrl(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

function isStomp(path: string): boolean {
  return path === '/stomp' || path.startsWith('/stomp/')
}

/** Whether the server itself answers the path. */
function isKnown(path: string, routes: HttpRoutes): boolean {
  if (path === '/.well-known/jwks.json') return routes.readJwks !== undefined
  return path === '/healthz' || path === '/readyz'
}

function respond(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      ...(type === 'text/plain' && { 'cache-control': 'no-store' }),
    })
    .end(body)
}
