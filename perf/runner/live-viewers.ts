import { WebSocket } from 'ws'

/** People who follow one subscription over graphql-transport-ws, a socket each. */
export interface ViewersOptions {
  readonly url: string
  /** One a viewer. */
  readonly tokens: readonly string[]
  /** Payload of each Subscribe. */
  readonly payload: object
  /** Told each message as it came. */
  readonly onMessage: (viewer: number, text: string) => void
}

/** Open viewers. */
export interface LiveViewers {
  /** Why a socket ended that was not told to; null while all stand. */
  readonly failure: () => string | null
  /** Cuts all sockets. */
  close(): void
}

const OPEN_DEADLINE_MS = 20_000

/** Opens the viewers; their subscriptions may not stand yet. Rejects when one is refused. */
export async function openLiveViewers(options: ViewersOptions): Promise<LiveViewers> {
  const { url, tokens, payload, onMessage } = options
  let failure: string | null = null

  async function open(token: string, viewer: number): Promise<WebSocket> {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false })
    const acknowledged = Promise.withResolvers<void>()
    socket.on('error', acknowledged.reject)
    socket.once('close', (code, reason) => {
      failure ??= `A viewer's socket was closed with ${code} ${reason}.`
      acknowledged.reject(new Error(failure))
    })
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
    )
    socket.once('message', ack => {
      if (!String(ack).includes('connection_ack')) return acknowledged.reject(new Error(String(ack)))
      socket.on('message', data => onMessage(viewer, String(data)))
      socket.send(JSON.stringify({ id: String(viewer), type: 'subscribe', payload }))
      acknowledged.resolve()
    })
    const deadline = setTimeout(
      () => acknowledged.reject(new Error('A viewer was not acknowledged in time.')),
      OPEN_DEADLINE_MS,
    )
    await acknowledged.promise.finally(() => clearTimeout(deadline))
    return socket
  }

  const sockets = await Promise.all(tokens.map(open))
  return {
    failure: () => failure,
    close() {
      for (const socket of sockets) {
        socket.removeAllListeners('close')
        socket.terminate()
      }
    },
  }
}
