import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols, type Server } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Logger } from '../logger.ts'
import { createFrameWriters, type FrameWriter } from './frame-writer.ts'
import { createKeepAlive } from './keep-alive.ts'

/** Bounds of a set of sockets. */
export interface GraphqlSocketLimits {
  /** A larger message closes its socket with 1009. Default 256 KiB. */
  readonly maxMessageBytes: number
  /** A socket that has more than this unsent is closed with 1013. Default 1 MiB. */
  readonly maxBufferedBytes: number
  /** Sockets at once; an upgrade past it is answered with 503. Default 10,000. */
  readonly maxSockets: number
  /** A socket that does not answer a ping within this time is cut. Default 12 s. */
  readonly keepAliveMs: number
}

/** Defaults of GraphqlSocketLimits. */
export const DEFAULT_SOCKET_LIMITS: GraphqlSocketLimits = {
  maxMessageBytes: 262_144,
  maxBufferedBytes: 1_048_576,
  maxSockets: 10_000,
  keepAliveMs: 12_000,
}

/** How long a peer may take to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2_000

/** Close codes of RFC 6455 §7.4.1 and graphql-transport-ws that are ours to say; graphql-ws says the others. */
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013
const BAD_REQUEST = 4400

/** Messages of graphql-transport-ws that only a server sends. */
const SERVER_MESSAGES = new Set(['connection_ack', 'next', 'error'])

/** What a graphql-ws server finds in its context's `extra`. */
export interface GraphqlSocketExtra {
  /** Sends messages beside those of graphql-ws, in order with them. */
  readonly writer: FrameWriter
  /** Closes this socket. */
  close(code: number, reason: string): void
}

/** WebSockets that speak graphql-transport-ws, on connections that someone else accepts. */
export interface GraphqlSockets {
  /** Takes over an upgrade request. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sockets open now. */
  readonly size: number
  /** Refuses new sockets, closes the open ones with 1001 and cuts those that do not answer within 2 s. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Connects `ws` sockets with a graphql-ws server: bounded, without deflate, pinged, and silent about our own errors.
 *
 * `makeExtra` makes the `extra` of a socket's context. An upgrade for which `hasRoom` says no is answered with 503.
 */
export function createGraphqlSockets<E>({
  server,
  makeExtra,
  hasRoom = () => true,
  limits = DEFAULT_SOCKET_LIMITS,
  logger,
}: {
  server: Server<E>
  makeExtra: (extra: GraphqlSocketExtra, request: IncomingMessage) => E
  hasRoom?: (request: IncomingMessage) => boolean
  limits?: GraphqlSocketLimits
  logger: Logger
}): GraphqlSockets {
  const wss = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // One message a turn: what a Complete ends is over before a Subscribe that takes its id again is read.
    allowSynchronousEvents: false,
    maxPayload: limits.maxMessageBytes,
    handleProtocols,
    ...{ closeTimeout: CLOSE_TIMEOUT_MS },
  })
  const writers = createFrameWriters()
  const keepAlive = createKeepAlive(limits.keepAliveMs)
  const onError = (error: Error) => logger.debug({ err: error }, 'graphql_socket.error')
  // A closure of handleUpgrade's would keep the request as long as its connection.
  const onUpgradeError = (error: Error) => logger.debug({ err: error }, 'graphql_socket.upgrade_failed')
  let isClosing = false

  function open(socket: WebSocket, connection: Duplex, request: IncomingMessage): void {
    const writer = writers.open({
      socket,
      connection,
      maxBufferedBytes: limits.maxBufferedBytes,
      onOverflow: () => socket.close(TRY_AGAIN_LATER, 'Too slow'),
    })
    async function hear(listener: (text: string) => Promise<void>, text: string): Promise<void> {
      try {
        await listener(text)
      } catch (error) {
        if (isServerMessage(text)) return socket.close(BAD_REQUEST, 'Unexpected message received')
        logger.error({ err: error }, 'graphql_socket.message_failed')
        socket.close(INTERNAL_ERROR, 'Internal error')
      }
    }
    const closeSocket = (code: number, reason: string) => {
      writer.flush()
      socket.close(code, reason)
    }
    socket.on('error', onError)
    const stopPinging = keepAlive.watch(socket)
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send(data) {
          writer.flush()
          return send(socket, data, limits.maxBufferedBytes)
        },
        close: closeSocket,
        onMessage(listener) {
          // The listener of a Subscribe lasts as long as its subscription: the text is kept that long, the bytes are not.
          socket.on('message', data => void hear(listener, String(data)))
        },
      },
      makeExtra({ writer, close: closeSocket }, request),
    )
    socket.once('close', (code, reason) => {
      stopPinging()
      closed(code, String(reason)).catch(error => logger.error({ err: error }, 'graphql_socket.close_failed'))
    })
  }

  return {
    handleUpgrade(request, socket, head) {
      socket.on('error', onUpgradeError)
      if (isClosing || wss.clients.size >= limits.maxSockets || !hasRoom(request)) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
        return
      }
      wss.handleUpgrade(request, socket, head, webSocket => open(webSocket, socket, request))
    },
    get size() {
      return wss.clients.size
    },
    async [Symbol.asyncDispose]() {
      isClosing = true
      writers.flush()
      await Promise.all(
        [...wss.clients].map(async socket => {
          const closed = new Promise(resolve => socket.once('close', resolve))
          socket.close(GOING_AWAY, 'Going away')
          await closed
        }),
      )
      wss.close()
    },
  }
}

function isServerMessage(text: string): boolean {
  try {
    return SERVER_MESSAGES.has(JSON.parse(text).type)
  } catch {
    return false
  }
}

/** Resolves when the message has left this process, so that a subscription waits for its socket. */
function send(socket: WebSocket, data: string, maxBufferedBytes: number): Promise<void> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  if (socket.bufferedAmount > maxBufferedBytes) {
    socket.close(TRY_AGAIN_LATER, 'Too slow')
    return Promise.resolve()
  }
  // A failed write is followed by the socket's close, which ends its operations.
  return new Promise(resolve => socket.send(data, () => resolve()))
}
