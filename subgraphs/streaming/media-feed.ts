import type { BroadcastState, MediaEvent, MediaPort, SessionEvent } from '../shared/media-port.ts'

type Snapshot = Extract<MediaEvent, { type: 'Snapshot' }>

/** What this process hears of media: one listener there, however many listen here. None of them may throw. */
export interface MediaFeed {
  /** Of media now; undefined before its first word. Differs after a restart of media. */
  readonly nodeId: string | undefined
  /** Follows the news of one session. `'gap'`: some may have been missed. Returns what ends that. */
  onSession(sessionId: string, listener: (event: SessionEvent | 'gap') => void): () => void
  /** Follows all that ends. */
  onSessionEnd(listener: (sessionId: string) => void): void
  /** Follows the states of all broadcasts, and what is there at the start and after a gap. */
  onBroadcast(listener: (event: BroadcastState | Snapshot) => void): void
  /** Begins to listen, once all who must miss nothing do. */
  start(): void
  /** Ends to listen. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Creates the feed; it is silent until it is started. */
export function createMediaFeed(media: Pick<MediaPort, 'listen'>): MediaFeed {
  const bySession = new Map<string, Set<(event: SessionEvent | 'gap') => void>>()
  const sessionEnds: ((sessionId: string) => void)[] = []
  const broadcasts: ((event: BroadcastState | Snapshot) => void)[] = []
  const newest = new Map<string, BroadcastState>()
  let nodeId: string | undefined
  let stop: (() => void) | undefined

  function takeBroadcast(event: BroadcastState): void {
    if (event.status === 'ENDED') newest.delete(event.deviceId)
    else newest.set(event.deviceId, event)
    for (const listener of broadcasts) listener(event)
  }

  function take(event: MediaEvent): void {
    if (event.type === 'Snapshot') {
      nodeId = event.nodeId
      newest.clear()
      for (const broadcast of event.broadcasts) newest.set(broadcast.deviceId, broadcast)
      for (const listener of broadcasts) listener(event)
      for (const listeners of bySession.values()) for (const listener of [...listeners]) listener('gap')
    } else if (event.type === 'BroadcastChanged') takeBroadcast(event.broadcast)
    else if (event.type === 'BroadcastSampled') {
      const known = newest.get(event.deviceId)
      if (known?.broadcastId === event.broadcastId) takeBroadcast({ ...known, stats: event.stats })
    } else {
      for (const listener of [...(bySession.get(event.sessionId) ?? [])]) listener(event)
      if (event.type === 'SessionEnded') for (const listener of sessionEnds) listener(event.sessionId)
    }
  }

  return {
    get nodeId() {
      return nodeId
    },
    onSession(sessionId, listener) {
      const listeners = bySession.get(sessionId) ?? new Set()
      bySession.set(sessionId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && bySession.get(sessionId) === listeners) bySession.delete(sessionId)
      }
    },
    onSessionEnd: listener => void sessionEnds.push(listener),
    onBroadcast: listener => void broadcasts.push(listener),
    start() {
      stop ??= media.listen(take)
    },
    async [Symbol.asyncDispose]() {
      stop?.()
    },
  }
}
