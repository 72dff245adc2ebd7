import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Closable } from '../lifecycle.ts'
import { serializeRequestHead } from './socket-handoff.ts'
import type { Supervised } from './supervised.ts'

/** The STOMP door of another process, as seen by the one that listens on the public port. */
export interface DoorHandoff extends Closable {
  /** Passes a SockJS request that is no WebSocket on, bytes through this process; 503 while the door is away. */
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  /** Moves a WebSocket to the door's process before its handshake; from then on no byte of it passes here. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Creates the way from the front to the door behind the same supervisor. */
export function createDoorHandoff(supervised: Pick<Supervised, 'tell' | 'onDoor'>): DoorHandoff {
  const agent = new Agent({ keepAlive: true })
  let doorPort: number | null = null
  supervised.onDoor(port => {
    doorPort = port
  })

  async function proxy(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const forwarded = openRequest({
      agent,
      host: '127.0.0.1',
      port,
      method: request.method,
      path: request.url,
      headers: {
        ...withoutHopByHop(request.headers),
        ...encodingOf(request.headers),
        'x-forwarded-for': request.socket.remoteAddress ?? '',
      },
    })
    forwarded.once('response', resolve).on('error', reject)
    response.once('close', () => forwarded.destroy())
    // The door may answer before it has read everything, and what is left is then of no use to it.
    pipeline(request, forwarded).catch(reject)
    const answer = await answered
    response.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.headers))
    response.flushHeaders()
    await pipeline(answer, response)
  }

  return {
    handleRequest(request, response) {
      if (doorPort === null) return answerAway(response)
      proxy(request, response, doorPort).catch(() => {
        if (response.headersSent) response.destroy()
        else answerAway(response)
      })
    },
    handleUpgrade(request, socket, head) {
      if (!(socket instanceof Socket) || doorPort === null) {
        socket.on('error', () => {})
        socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n')
        return
      }
      supervised.tell({ type: 'socket', head: serializeRequestHead(request, head) }, socket)
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
    },
  }
}

function answerAway(response: ServerResponse): void {
  response
    .writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' })
    .end('The door is not there now.\n')
}

/** Headers that are about one connection and not passed on (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set(headers.connection?.toLowerCase().split(/[\s,]+/))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  )
}

/**
 * How the body of a request is framed towards the door: in chunks of its own when it came in chunks. Left out, Node
 * would write the body of a GET without any framing, and its bytes would be the next request on that connection.
 */
function encodingOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
}
