import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'

/** A subscription of a test that is resumed when its socket is lost. Dispose ends it. */
export interface FollowedOn<T> extends AsyncDisposable {
  /** What has come so far, in order; a gap is null. */
  readonly messages: (T | null)[]
  /** Sockets that were lost. */
  readonly losses: number
  /** Why it has ended, if it has. */
  readonly ended: unknown
}

/**
 * Subscribes over graphql-ws as a client should that wants to miss nothing: it tries again and again, and its Subscribe
 * then says after which message to go on.
 */
export function followOn<T>(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown> = {},
): FollowedOn<T> {
  const messages: (T | null)[] = []
  const state = { losses: 0, ended: undefined as unknown }
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    // Everyone at once, but not in a tight loop.
    retryWait: () => new Promise(resolve => setTimeout(resolve, 50 + Math.random() * 100)),
    on: { closed: () => state.losses++ },
  })
  const payload = { query, variables, extensions: {} as Record<string, unknown> }
  client.subscribe<T>(payload, {
    next({ data, errors, extensions }) {
      const { cursor, gap } = (extensions ?? {}) as { cursor?: string; gap?: boolean }
      // With errors there may still be data: one dead subgraph blanks its fields alone.
      if (gap === true) messages.push(null)
      else if (data) messages.push(data)
      else state.ended = errors
      // The client sends this same object when it subscribes again.
      if (cursor !== undefined) payload.extensions.resumeAfter = cursor
    },
    error: error => {
      state.ended = error
    },
    complete: () => {
      state.ended ??= 'complete'
    },
  })
  return {
    messages,
    get losses() {
      return state.losses
    },
    get ended() {
      return state.ended
    },
    async [Symbol.asyncDispose]() {
      await client.dispose()
    },
  }
}
