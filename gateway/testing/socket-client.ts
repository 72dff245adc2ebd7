import { once } from 'node:events'
import type { FormattedExecutionResult } from 'graphql'
import { WebSocket } from 'ws'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'

/** A message of graphql-transport-ws, as it came. */
export interface SocketMessage {
  readonly type: string
  readonly id?: string
  // Tests look into answers freely.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
  readonly payload?: any
}

/** A bare client of graphql-transport-ws, which does what it is told, right or wrong. */
export interface SocketClient extends Disposable {
  readonly socket: WebSocket
  /** All that came. */
  readonly messages: readonly SocketMessage[]
  readonly closed: Promise<{ code: number; reason: string }>
  /** Sends a message, or text that is none. */
  send(message: object | string): void
  subscribe(
    id: string,
    query: string,
    options?: { variables?: Record<string, unknown>; resumeAfter?: unknown },
  ): void
  complete(id: string): void
  /** Results of an operation so far. */
  results(id: string): FormattedExecutionResult[]
  /** Waits for this many results of an operation. */
  next(id: string, count: number): Promise<FormattedExecutionResult[]>
  /** Waits until an operation has ended; answers the errors of an `error`, undefined after `complete`. */
  ended(id: string): Promise<unknown>
}

/** Opens a socket, and a session on it unless `token` is null. */
export async function openSocketClient(
  url: string,
  token: string | null | undefined,
  protocol: string[] = ['graphql-transport-ws'],
): Promise<SocketClient> {
  const socket = new WebSocket(url, protocol)
  const messages: SocketMessage[] = []
  const closed = new Promise<{ code: number; reason: string }>(resolve =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  socket.on('message', data => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  const send = (message: object | string) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const ofId = (id: string) => messages.filter(message => message.id === id)
  const results = (id: string) => ofId(id).flatMap(({ type, payload }) => (type === 'next' ? [payload] : []))
  if (token !== null) {
    send({ type: 'connection_init', payload: token && { authorization: `Bearer ${token}` } })
    await waitFor(() => messages.length > 0 || socket.readyState > socket.OPEN, { what: 'connection_ack' })
  }
  return {
    socket,
    messages,
    closed,
    send,
    results,
    subscribe(id, query, { variables, resumeAfter } = {}) {
      const extensions = resumeAfter === undefined ? undefined : { resumeAfter }
      send({ type: 'subscribe', id, payload: { query, variables, extensions } })
    },
    complete: id => send({ type: 'complete', id }),
    async next(id, count) {
      await waitFor(() => results(id).length >= count, { what: `${count} results of ${id}` })
      return results(id)
    },
    async ended(id) {
      const last = await waitFor(() => ofId(id).find(({ type }) => type !== 'next'), { what: `end of ${id}` })
      return last.payload
    },
    [Symbol.dispose]: () => socket.terminate(),
  }
}
