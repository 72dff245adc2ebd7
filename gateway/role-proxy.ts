import { randomUUID } from 'node:crypto'
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { INTERNAL_HEADER, sealInternalCredential } from '../subgraphs/shared/auth/internal-credential.ts'
import type { HttpPath } from '../subgraphs/shared/http/http-handoff.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'

/** How a role is reached that answers a path in a process of its own. */
export interface RoleProxyOptions {
  /** What it is called when it cannot be reached. */
  readonly name: string
  /** Its origin, `http:` or `https:`. */
  readonly url: string
  /** The site's secret for internal credentials. */
  readonly secret: string
  readonly logger: Logger
  /** How long nothing may move, either way. Default 120 s. */
  readonly idleMs?: number
}

/** Belong to one connection and go no further (RFC 9110 §7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Are between the client and the gateway. */
const NOT_FORWARDED = ['host', 'expect', 'cookie', 'authorization', INTERNAL_HEADER]

/**
 * Creates the handler that passes requests on to another role under an internal credential for nobody, and the answer
 * back, both as streams and as fast as they are taken. 503 when the role cannot be reached; an answer that breaks off
 * there breaks off here. A client that goes ends the request.
 */
export function createRoleProxy(options: RoleProxyOptions): HttpPath['handler'] {
  const { name, url, secret, logger, idleMs = 120_000 } = options
  const { protocol, hostname, port } = new URL(url)
  const send = protocol === 'https:' ? httpsRequest : httpRequest
  const target = {
    // An IPv6 address stands in brackets in URLs alone.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? undefined : Number(port),
    // A connection each: on a kept one that has just been closed a request is lost.
    agent: false,
  } as const

  function handleRequest(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID()
    const forwarded = send({
      ...target,
      method: request.method,
      path: request.url,
      headers: {
        ...endToEnd(request.headers, NOT_FORWARDED),
        'x-request-id': requestId,
        [INTERNAL_HEADER]: sealInternalCredential(secret, { viewer: null, requestId }),
      },
    })
    const fail = (error: Error) => {
      request.unpipe(forwarded)
      forwarded.destroy()
      if (response.destroyed) return
      logger.error({ role: name, requestId, err: error }, 'gateway.proxy_failed')
      // Reset, as HTTP/1.0 takes a connection that ends for the end of the answer.
      if (response.headersSent) request.socket.resetAndDestroy()
      else refuse(response, `The ${name} service cannot answer now. Try again.\n`)
    }
    forwarded.setTimeout(idleMs, () => fail(new Error(`Nothing has moved for ${idleMs} ms`)))
    forwarded.once('error', fail)
    forwarded.once('response', answer => {
      answer.once('error', fail)
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
      answer.pipe(response)
    })
    response.once('close', () => forwarded.destroy())
    request.pipe(forwarded)
  }

  return { handleRequest }
}

/** Headers that are for the other end, without those that `more` names. */
function endToEnd(headers: IncomingHttpHeaders, more: readonly string[] = []): IncomingHttpHeaders {
  const named = headers.connection?.toLowerCase().split(/\s*,\s*/) ?? []
  const left = new Set([...HOP_BY_HOP, ...named, ...more])
  return Object.fromEntries(Object.entries(headers).filter(([header]) => !left.has(header)))
}

function refuse(response: ServerResponse, message: string): void {
  response
    .writeHead(503, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(message),
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(message)
}
