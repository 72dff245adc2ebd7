import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'

/** A subscription of a test. Dispose ends it. */
export interface Followed<T> extends AsyncDisposable {
  /** What has come so far. */
  readonly messages: { data: T; extensions?: { cursor?: string } }[]
  /** Resolves with the first message that fits, also one that has come before; rejects when the subscription ends. */
  first(fits: (data: T) => boolean): Promise<T>
}

/**
 * Subscribes over graphql-ws. The protocol has no acknowledgement: to know that the subscription is taken, send
 * events until one has come.
 */
export function follow<T>(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown> = {},
): Followed<T> {
  const messages: Followed<T>['messages'] = []
  const waiting = new Set<{ fits: (data: T) => boolean; found: PromiseWithResolvers<T> }>()
  let ended: Error | undefined
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: error => end(error),
  })
  function end(reason: unknown): void {
    ended = reason instanceof Error ? reason : new Error(JSON.stringify(reason) ?? String(reason))
    for (const { found } of waiting) found.reject(ended)
    waiting.clear()
  }
  client.subscribe<T>(
    { query, variables },
    {
      next(result) {
        if (result.errors !== undefined) return end(result.errors)
        const data = result.data as T
        messages.push({ data, ...(result.extensions ? { extensions: result.extensions } : {}) })
        for (const waiter of waiting) {
          if (!waiter.fits(data)) continue
          waiting.delete(waiter)
          waiter.found.resolve(data)
        }
      },
      error: end,
      complete: () => end(new Error('The subscription has ended.')),
    },
  )
  return {
    messages,
    async first(fits) {
      const before = messages.find(({ data }) => fits(data))
      if (before !== undefined) return before.data
      if (ended !== undefined) throw ended
      const found = Promise.withResolvers<T>()
      waiting.add({ fits, found })
      return await found.promise
    },
    async [Symbol.asyncDispose]() {
      await client.dispose()
    },
  }
}
