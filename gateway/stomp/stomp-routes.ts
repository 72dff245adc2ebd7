import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type { Closable } from '../../subgraphs/shared/lifecycle.ts'
import type { DoorLimits } from './door-limits.ts'
import { carryRawWebSocket } from './raw-websocket.ts'
import { createSockJsLimits, type SockJsLimits } from './sockjs-limits.ts'
import { createSockJsRequests } from './sockjs-requests.ts'
import { carrySockJsWebSocket } from './sockjs-websocket.ts'
import type { TimerWheel } from './timer-wheel.ts'
import type { AcceptTransport } from './transport.ts'

const PREFIX = '/stomp'
const SUBPROTOCOLS = ['v12.stomp', 'v11.stomp', 'v10.stomp']
const CLOSE_TIMEOUT_MS = 3_000

/** What the routes need of the door. */
export interface StompRoutesOptions {
  readonly accept: AcceptTransport
  readonly limits: DoorLimits
  readonly sockJs?: Partial<SockJsLimits>
  readonly wheel: TimerWheel
  /** No new connection is taken: 503. */
  readonly isFull: () => boolean
  readonly isOriginAllowed: (origin: string) => boolean
}

/** Leads what is asked for under `/stomp` to its transport. */
export interface StompRoutes extends Closable {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  handleRequest(request: IncomingMessage, response: ServerResponse): void
}

/**
 * Creates the routes: `/stomp/websocket` is STOMP over a plain WebSocket, everything else SockJS. A WebSocket message
 * of more than four frames' length closes its socket with 1009. Disposing drops sockets that do not close.
 */
export function createStompRoutes(options: StompRoutesOptions): StompRoutes {
  const { accept, limits, wheel, isFull, isOriginAllowed } = options
  const sockJsLimits = { ...createSockJsLimits(limits.frame.maxFrameBytes), ...options.sockJs }
  const requests = createSockJsRequests({ accept, wheel, limits: sockJsLimits, isFull })
  const { heartBeatMs } = sockJsLimits
  const serverOptions = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 4 * limits.frame.maxFrameBytes,
    closeTimeout: CLOSE_TIMEOUT_MS,
    handleProtocols: (offered: Set<string>) => SUBPROTOCOLS.find(protocol => offered.has(protocol)) ?? false,
  }
  // Named first, as the types of ws do not know closeTimeout yet.
  const server = new WebSocketServer(serverOptions)

  return {
    handleUpgrade(request, socket, head) {
      socket.on('error', () => socket.destroy())
      const path = pathUnder(request)?.path
      const isRaw = path === 'websocket'
      if (!isRaw && !/^[^/.]{1,64}\/[^/.]{1,128}\/websocket$/.test(path ?? ''))
        return refuse(socket, '404 Not Found')
      const { origin } = request.headers
      if (origin !== undefined && !isOriginAllowed(origin)) return refuse(socket, '403 Forbidden')
      if (isFull()) return refuse(socket, '503 Service Unavailable', 'Retry-After: 5\r\n')
      server.handleUpgrade(request, socket, head, webSocket => {
        if (isRaw) carryRawWebSocket(webSocket, accept)
        else carrySockJsWebSocket(webSocket, accept, { wheel, heartBeatMs })
      })
    },

    handleRequest(request, response) {
      response.on('error', () => {})
      const target = pathUnder(request)
      const { origin } = request.headers
      if (target === undefined) response.writeHead(404).end()
      else if (target.path === 'websocket')
        response.writeHead(426, { connection: 'Upgrade', upgrade: 'websocket' }).end()
      else if (origin !== undefined && !isOriginAllowed(origin)) response.writeHead(403).end()
      else requests.handle(request, response, target.path, target.query)
    },

    async [Symbol.asyncDispose]() {
      const closed = [...server.clients].map(client => new Promise(resolve => client.once('close', resolve)))
      await withDeadline('The last sockets', limits.closeDeadlineMs, () => Promise.all(closed)).catch(() => {
        for (const client of server.clients) client.terminate()
      })
      server.close()
    },
  }
}

/** What follows `/stomp/` in the path of a request; undefined when it is elsewhere or no URL. */
function pathUnder(request: IncomingMessage): { path: string; query: URLSearchParams } | undefined {
  const url = URL.parse(request.url ?? '', 'http://door')
  if (url === null) return undefined
  if (url.pathname === PREFIX) return { path: '', query: url.searchParams }
  if (!url.pathname.startsWith(`${PREFIX}/`)) return undefined
  return { path: url.pathname.slice(PREFIX.length + 1), query: url.searchParams }
}

function refuse(socket: Duplex, status: string, headers = ''): void {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n${headers}\r\n`)
}
