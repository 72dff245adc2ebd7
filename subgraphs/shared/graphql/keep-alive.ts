import type { WebSocket } from 'ws'

/** Pings WebSockets and cuts those that do not answer. */
export interface KeepAlive {
  /** Pings a socket on and on, and cuts it when a pong has not come by the time of the next ping; the answer ends it. */
  watch(socket: WebSocket): () => void
}

/** Turns in which the sockets are pinged, so that thousands of them are not all at once. */
const TURNS = 12

/** Creates a keep-alive with one timer for all its sockets, which runs while there are any. */
export function createKeepAlive(intervalMs: number): KeepAlive {
  const turns = Array.from({ length: TURNS }, () => new Set<WebSocket>())
  const unanswered = new Set<WebSocket>()
  let now = 0
  let watched = 0
  let timer: NodeJS.Timeout | undefined

  function onPong(this: WebSocket): void {
    unanswered.delete(this)
  }

  function ping(): void {
    now = (now + 1) % TURNS
    for (const socket of turns[now] ?? []) {
      if (unanswered.has(socket)) socket.terminate()
      else {
        unanswered.add(socket)
        socket.ping()
      }
    }
  }

  return {
    watch(socket) {
      const turn = turns[now]
      turn?.add(socket)
      watched++
      timer ??= setInterval(ping, intervalMs / TURNS)
      socket.on('pong', onPong)
      return () => {
        socket.off('pong', onPong)
        unanswered.delete(socket)
        if (!turn?.delete(socket) || --watched > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
