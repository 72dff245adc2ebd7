import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'

/** Somebody who follows who comes and goes. Dispose ends that. */
export interface PresenceFollower extends Disposable {
  /** When the device was next told to be online or offline, ms of performance.now(). Rejects after `deadlineMs`. */
  next(deviceId: string, online: boolean, deadlineMs: number): Promise<number>
}

/** Subscribes at the gateway. What comes before the subscription has begun there is not told. */
export function followPresence(
  url: string,
  { token, spaceId }: { token: string; spaceId: string },
): PresenceFollower {
  const waiting = new Map<string, (at: number) => void>()
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    lazy: false,
  })
  const query =
    'subscription ($spaceId: ID!) { devicePresenceChanged(spaceId: $spaceId) { id online lastSeenAt } }'
  client.subscribe<{ devicePresenceChanged: { id: string; online: boolean } }>(
    { query, variables: { spaceId } },
    {
      next({ data }) {
        const changed = data?.devicePresenceChanged
        if (changed === undefined) return
        const key = `${changed.id} ${changed.online}`
        waiting.get(key)?.(performance.now())
        waiting.delete(key)
      },
      error: error => console.error('perf: the follower has failed', error),
      complete() {},
    },
  )
  return {
    next(deviceId, online, deadlineMs) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error(`${deviceId} was not seen ${online ? 'online' : 'offline'}.`)),
          deadlineMs,
        )
        waiting.set(`${deviceId} ${online}`, at => {
          clearTimeout(late)
          resolve(at)
        })
      })
    },
    [Symbol.dispose]() {
      client.dispose()
    },
  }
}
