import type { DoorMetrics } from './door-metrics.ts'
import { ProtocolError } from './frame.ts'

/** Lets CONNECTs in by and by. */
export interface ConnectAdmission {
  /**
   * Resolves when the CONNECT may go on, with what is to be called once it is through, however that ended; null when it
   * is no longer `isWanted` by then. Rejects with UNAVAILABLE and a jittered `retry-after-ms` when the queue is full.
   */
  enter(isWanted: () => boolean): Promise<(() => void) | null>
}

interface Waiting {
  readonly isWanted: () => boolean
  readonly admit: (leave: (() => void) | null) => void
}

/**
 * Creates the admission: `maxConnecting` CONNECTs at a time are checked and made known, `maxWaiting` more wait in order
 * of arrival. So the work that a fleet makes when it comes back at once is bounded, and what is over the bound is told
 * when to come again: not before the queue of now has been worked off, and not all at once.
 */
export function createConnectAdmission({
  maxConnecting,
  maxWaiting,
  retryAfterMs,
  metrics,
  elapsed,
  random = Math.random,
}: {
  maxConnecting: number
  maxWaiting: number
  /** The shortest hint. */
  retryAfterMs: number
  metrics: Pick<DoorMetrics, 'connecting' | 'waitingConnects' | 'refusedConnects'>
  /** Milliseconds of a clock that only goes forwards. */
  elapsed: () => number
  random?: () => number
}): ConnectAdmission {
  const waiting: Waiting[] = []
  let head = 0
  let connecting = 0
  /** Mean time between two CONNECTs that were through while others waited. */
  let msEach = 1
  let lastThroughAt = 0

  const waitingCount = () => waiting.length - head

  function begin(): () => void {
    let hasLeft = false
    metrics.connecting.set(++connecting)
    return () => {
      if (hasLeft) return
      hasLeft = true
      const now = elapsed()
      if (waitingCount() > 0) msEach += (Math.min(now - lastThroughAt, 1_000) - msEach) / 64
      lastThroughAt = now
      connecting--
      admitWaiting()
      metrics.connecting.set(connecting)
    }
  }

  function admitWaiting(): void {
    while (connecting < maxConnecting && waitingCount() > 0) {
      const next = waiting[head++]
      if (next?.isWanted()) next.admit(begin())
      else next?.admit(null)
    }
    if (head === waiting.length || head > 1_024) {
      waiting.splice(0, head)
      head = 0
    }
    metrics.waitingConnects.set(waitingCount())
  }

  return {
    async enter(isWanted) {
      if (connecting < maxConnecting) return begin()
      if (waitingCount() >= maxWaiting) {
        metrics.refusedConnects.inc()
        const busyMs = Math.max(retryAfterMs, waitingCount() * msEach)
        throw new ProtocolError('Too many devices connect at once.', 'UNAVAILABLE', {
          'retry-after-ms': String(Math.round(busyMs * (1 + 2 * random()))),
        })
      }
      return new Promise(admit => {
        waiting.push({ isWanted, admit })
        metrics.waitingConnects.set(waitingCount())
      })
    },
  }
}
