import { WebSocket } from 'ws'

/** What comes of an operation over the socket. */
export interface LiveMessage {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly { message: string; extensions?: { code?: string } }[]
  readonly extensions?: { readonly cursor?: string; readonly gap?: boolean }
}

/** A graphql-transport-ws connection. */
export interface LiveSocket {
  /** Subscribes; `onEnd` is told when the server ends it, with an error or without. */
  subscribe(
    payload: object,
    onNext: (message: LiveMessage) => void,
    onEnd: (error: string | null) => void,
  ): () => void
  /** Asks a query or mutation; rejects for whatever is in its errors. */
  ask(query: string, variables: object): Promise<Readonly<Record<string, unknown>>>
  close(): void
}

const ACK_DEADLINE_MS = 20_000
const ANSWER_DEADLINE_MS = 20_000

/** Opens a connection; `onClose` is told once when it ends that nobody has closed. */
export async function openLiveSocket(options: {
  readonly url: string
  readonly token: string
  readonly onClose: (reason: string) => void
}): Promise<LiveSocket> {
  const socket = new WebSocket(`${options.url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  })
  const acknowledged = Promise.withResolvers<void>()
  const streams = new Map<
    string,
    { onNext: (message: LiveMessage) => void; onEnd: (error: string | null) => void }
  >()
  let isClosing = false
  let opened = 0
  const say = (message: object) => socket.send(JSON.stringify(message))

  socket.on('error', error => acknowledged.reject(error))
  socket.once('open', () =>
    say({ type: 'connection_init', payload: { authorization: `Bearer ${options.token}` } }),
  )
  socket.on('message', data => {
    const message = JSON.parse(String(data)) as { type: string; id?: string; payload?: unknown }
    const stream = streams.get(message.id ?? '')
    if (message.type === 'next') stream?.onNext(message.payload as LiveMessage)
    else if (message.type === 'ping') say({ type: 'pong' })
    else if (message.type === 'connection_ack') acknowledged.resolve()
    else if (message.type === 'complete' || message.type === 'error') {
      streams.delete(message.id ?? '')
      stream?.onEnd(message.type === 'error' ? JSON.stringify(message.payload).slice(0, 300) : null)
    }
  })
  socket.once('close', (code, reason) => {
    acknowledged.reject(new Error(`The gateway closed with ${code} ${reason}.`))
    if (isClosing) return
    for (const { onEnd } of streams.values()) onEnd(`closed with ${code} ${reason}`)
    options.onClose(`closed with ${code} ${reason}`)
  })
  const deadline = setTimeout(
    () => acknowledged.reject(new Error('No connection_ack in time.')),
    ACK_DEADLINE_MS,
  )
  try {
    await acknowledged.promise
  } catch (error) {
    isClosing = true
    socket.terminate()
    throw error
  } finally {
    clearTimeout(deadline)
  }

  function subscribe(
    payload: object,
    onNext: (message: LiveMessage) => void,
    onEnd: (error: string | null) => void,
  ): () => void {
    const id = String(opened++)
    streams.set(id, { onNext, onEnd })
    say({ id, type: 'subscribe', payload })
    return () => {
      if (streams.delete(id) && socket.readyState === WebSocket.OPEN) say({ id, type: 'complete' })
    }
  }

  return {
    subscribe,
    async ask(query, variables) {
      const answer = Promise.withResolvers<Readonly<Record<string, unknown>>>()
      const stop = subscribe(
        { query, variables },
        ({ data, errors }) =>
          data && errors === undefined
            ? answer.resolve(data)
            : answer.reject(new Error(JSON.stringify(errors).slice(0, 300))),
        error => answer.reject(new Error(error ?? 'No answer came.')),
      )
      const deadline = setTimeout(() => answer.reject(new Error('No answer in time.')), ANSWER_DEADLINE_MS)
      try {
        return await answer.promise
      } finally {
        clearTimeout(deadline)
        stop()
      }
    },
    close() {
      isClosing = true
      socket.close(1000)
    },
  }
}
