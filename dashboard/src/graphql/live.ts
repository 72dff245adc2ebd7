import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { stringifyDocument } from '@urql/core'
import { type Client, createClient, type FormattedExecutionResult } from 'graphql-ws'
import { lastHeardAt, setConnection } from './connection.ts'
import { RequestError, toRequestError } from './request-error.ts'
import { getAccessToken, onSessionEnded, onTokenRenewed, tellIfRefused } from './session.ts'

/** What happens to a subscription. */
export interface LiveHandlers<Data> {
  /** An event, each once and in order. */
  onEvent(data: Data): void
  /**
   * What is shown is to be loaded now: the subscription follows from this moment on, or events were missed that cannot be
   * had any more.
   */
  onLoad(): void
  /** It has ended for good. */
  onError(error: RequestError): void
}

interface Extensions {
  readonly cursor?: string
  readonly gap?: boolean
}

/** An idle socket is asked for a sign of life this often; without an answer in ANSWER_MS it is dead. */
const PING_MS = 10_000
const ANSWER_MS = 5_000

const MAX_WAIT_MS = 10_000

/** Codes after which the same subscription may work again. */
const PASSING = new Set([
  'UNAVAILABLE',
  'RATE_LIMITED',
  'INTERNAL_SERVER_ERROR',
  'UNAUTHENTICATED',
  'OFFLINE',
])

const FORBIDDEN = 4403

let client: Client | null = null
let isConnected = false

/**
 * Follows a subscription until the answer is called. It survives lost sockets, restarts of the product and new tokens: it
 * goes on after the last event that it had (`extensions.resumeAfter`), and asks for a load only where that is impossible.
 */
export function followLive<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { onEvent, onLoad, onError }: LiveHandlers<Data>,
): () => void {
  /** Sent anew with each socket, so it always says where to go on. */
  const payload = {
    query: stringifyDocument(document),
    variables,
    extensions: { resumeAfter: null as string | null },
  }
  let unsubscribe: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isOver = false

  function next({ data, errors, extensions }: FormattedExecutionResult<Data, Extensions>): void {
    if (isOver) return
    failures = 0
    if (extensions?.cursor !== undefined) payload.extensions.resumeAfter = extensions.cursor
    if (extensions?.gap) onLoad()
    else if (data != null) onEvent(data)
    // An event that could not be told whole has happened all the same.
    else if (errors !== undefined) onLoad()
  }

  function again(error: RequestError): void {
    if (isOver) return
    if (error.code === 'BAD_USER_INPUT' && payload.extensions.resumeAfter !== null)
      payload.extensions.resumeAfter = null
    else if (!PASSING.has(error.code)) {
      isOver = true
      tellIfRefused(error)
      onError(error)
      return
    }
    timer = setTimeout(subscribe, waitMs(failures++))
  }

  function subscribe(): void {
    unsubscribe = getClient().subscribe<Data, Extensions>(payload, {
      next,
      error: reason => again(readReason(reason)),
      // The server ends what it cannot go on with.
      complete: () => again(new RequestError('UNAVAILABLE', 'The subscription has ended.')),
    })
  }

  subscribe()
  return () => {
    isOver = true
    clearTimeout(timer)
    unsubscribe?.()
  }
}

/** Opens the socket ahead of the first subscription, and keeps it until the session ends. */
export function keepConnected(): void {
  getClient()
}

function getClient(): Client {
  if (client !== null) return client
  let isRefused = false
  let silence: ReturnType<typeof setTimeout> | undefined
  const opened: Client = createClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    lazy: false,
    onNonLazyError: () => {},
    connectionParams: async () => {
      // Without a token the socket is refused, and tried again unless nobody is signed in any more.
      const token = await getAccessToken({ isFresh: isRefused }).catch(() => 'none')
      isRefused = false
      return { authorization: `Bearer ${token}` }
    },
    keepAlive: PING_MS,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (): boolean => client === opened,
    retryWait: retries => waitOrWake(waitMs(retries)),
    on: {
      connected: () => {
        isConnected = true
        lastHeardAt.value = Date.now()
        setConnection('live')
      },
      ping: isReceived => {
        if (!isReceived) silence = setTimeout(() => opened.terminate(), ANSWER_MS)
      },
      pong: isReceived => {
        if (isReceived) clearTimeout(silence)
        lastHeardAt.value = Date.now()
      },
      message: () => {
        lastHeardAt.value = Date.now()
      },
      closed: event => {
        isConnected = false
        clearTimeout(silence)
        isRefused = (event as CloseEvent | undefined)?.code === FORBIDDEN
        if (client === opened) setConnection(navigator.onLine ? 'reconnecting' : 'offline')
      },
    },
  })
  client = opened
  return opened
}

onTokenRenewed(token => {
  if (client === null || !isConnected) return
  // The socket outlives the token that it was opened with by any operation that brings a new one.
  const extensions = { authorization: `Bearer ${token}` }
  client.subscribe({ query: '{ __typename }', extensions }, { next() {}, error() {}, complete() {} })
})

// Without a network the socket looks well until a ping is missed.
addEventListener('offline', () => client?.terminate())

onSessionEnded(() => {
  const closing = client
  client = null
  isConnected = false
  // One that is being opened may be refused meanwhile.
  Promise.resolve(closing?.dispose()).catch(() => {})
  setConnection('connecting')
})

function readReason(reason: unknown): RequestError {
  if (Array.isArray(reason)) return toRequestError(reason)
  return reason instanceof RequestError
    ? reason
    : new RequestError('OFFLINE', 'The connection was lost.', { cause: reason })
}

/** Exponential, with half of it left to chance: a restarted product is not asked by everybody at once. */
function waitMs(failures: number): number {
  const most = Math.min(MAX_WAIT_MS, 250 * 2 ** Math.min(failures, 10))
  return most / 2 + (Math.random() * most) / 2
}

/** Waits, but no longer than until the browser has a network again or the page is looked at. */
function waitOrWake(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => {
    if (!document.hidden) resolve()
  }
  const timer = setTimeout(resolve, ms)
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  return promise.finally(() => {
    clearTimeout(timer)
    removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
  })
}
