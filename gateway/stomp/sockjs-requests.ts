import { randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { allowOrigin, answerPreflight } from './sockjs-cross-origin.ts'
import { eventSourceFormat } from './sockjs-eventsource.ts'
import { htmlfileFormat, isCallbackName } from './sockjs-htmlfile.ts'
import { SockJsHttpSession } from './sockjs-http-session.ts'
import type { SockJsLimits } from './sockjs-limits.ts'
import { attachReceiver, type ReceiverFormat } from './sockjs-receiver.ts'
import { xhrFormat, xhrStreamingFormat } from './sockjs-xhr.ts'
import { takeXhrSend } from './sockjs-xhr-send.ts'
import type { TimerWheel } from './timer-wheel.ts'
import type { AcceptTransport } from './transport.ts'

const METHODS: Readonly<Record<string, string>> = {
  '': 'GET',
  info: 'GET',
  xhr: 'POST',
  xhr_streaming: 'POST',
  xhr_send: 'POST',
  eventsource: 'GET',
  htmlfile: 'GET',
}
const NO_CACHE = 'no-store, no-cache, no-transform, must-revalidate, max-age=0'

/** What the SockJS side of the door needs. */
export interface SockJsRequestsOptions {
  readonly accept: AcceptTransport
  readonly wheel: TimerWheel
  readonly limits: SockJsLimits
  readonly isFull: () => boolean
}

/** Answers the HTTP requests of SockJS clients (protocol 0.3.3), but for iframes and JSONP: 404. */
export interface SockJsRequests {
  /** `path` is what follows `/stomp/`: empty, `info`, or `{server}/{session}/{transport}`. */
  handle(request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams): void
}

/**
 * Creates the HTTP side of SockJS. Sessions over HTTP live here, by the id that their client chose; a client that
 * loses its network is over within `disconnectDelayMs`.
 */
export function createSockJsRequests({
  accept,
  wheel,
  limits,
  isFull,
}: SockJsRequestsOptions): SockJsRequests {
  const sessions = new Map<string, SockJsHttpSession>()

  function receive(response: ServerResponse, sessionId: string, how: ReceiverFormat): void {
    let session = sessions.get(sessionId)
    if (session === undefined) {
      if (isFull()) {
        answer(response, 503, 'The door is full.', { 'retry-after': '5' })
        return
      }
      const { kind } = how
      const forget = () => sessions.delete(sessionId)
      session = new SockJsHttpSession({ kind, accept, wheel, limits, forget })
      sessions.set(sessionId, session)
    }
    attachReceiver(response, session, how)
  }

  /** Format of a receiving request; undefined when there is no such, or it lacks its callback. */
  function formatOf(transport: string, query: URLSearchParams): ReceiverFormat | undefined {
    const { maxResponseBytes } = limits
    if (transport === 'xhr') return xhrFormat
    if (transport === 'xhr_streaming') return xhrStreamingFormat(maxResponseBytes)
    if (transport === 'eventsource') return eventSourceFormat(maxResponseBytes)
    const callback = query.get('c') ?? query.get('callback')
    return isCallbackName(callback) ? htmlfileFormat(callback, maxResponseBytes) : undefined
  }

  function handleSession(
    request: IncomingMessage,
    response: ServerResponse,
    { sessionId, transport, query }: { sessionId: string; transport: string; query: URLSearchParams },
  ): void {
    if (transport === 'xhr_send') {
      takeXhrSend(request, response, sessions.get(sessionId), limits).catch(() => response.destroy())
      return
    }
    const format = formatOf(transport, query)
    if (format === undefined) answer(response, 500, 'The parameter "c" must name a callback.')
    else receive(response, sessionId, format)
  }

  function handleOther(response: ServerResponse, isInfo: boolean): void {
    if (!isInfo) {
      answer(response, 200, 'Welcome to SockJS!\n')
      return
    }
    const info = { websocket: true, origins: ['*:*'], cookie_needed: false, entropy: randomInt(2 ** 32) }
    answer(response, 200, JSON.stringify(info), {
      'content-type': 'application/json; charset=UTF-8',
      'cache-control': NO_CACHE,
    })
  }

  return {
    handle(request, response, path, query) {
      const [, sessionId, transport = path] = /^[^/.]{1,64}\/([^/.]{1,128})\/([a-z_]+)$/.exec(path) ?? []
      const method = Object.hasOwn(METHODS, transport) ? METHODS[transport] : undefined
      if (method === undefined || (sessionId === undefined) !== (transport === '' || transport === 'info')) {
        answer(response, 404, 'There is nothing here.')
        return
      }
      allowOrigin(request, response)
      if (request.method === 'OPTIONS') answerPreflight(request, response, method)
      else if (request.method !== method) answer(response, 405, '', { allow: `OPTIONS, ${method}` })
      else if (sessionId !== undefined) handleSession(request, response, { sessionId, transport, query })
      else handleOther(response, transport === 'info')
    },
  }
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8', ...headers }).end(body)
}
