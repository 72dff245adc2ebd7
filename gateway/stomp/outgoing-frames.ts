import type { Transport } from './transport.ts'

/** What leaves for a device: gathered during a turn of the event loop, sent as one message. */
export interface OutgoingFrames {
  /** Adds a frame; it leaves at the end of the turn, or with the next flush. */
  add(text: string): void
  /** Sends what has gathered. */
  flush(): void
  /** Sends an end of line if nothing else was sent for nearly `everyMs`; answers when to look again, in ms. */
  beat(now: number, everyMs: number): number
}

/**
 * Creates the way out of a session. `flushLater` is asked for when the first frame of a turn is added; `onOverflow` is
 * called when more than `maxUnsentBytes` wait for a device that does not read. `elapsed` is a clock in ms that only
 * goes forwards.
 */
export function createOutgoingFrames({
  transport,
  maxUnsentBytes,
  elapsed,
  flushLater,
  onOverflow,
}: {
  transport: Transport
  maxUnsentBytes: number
  elapsed: () => number
  flushLater: () => void
  onOverflow: () => void
}): OutgoingFrames {
  let gathered = ''
  let lastSentAt = elapsed()

  function flush(): void {
    if (gathered === '') return
    const text = gathered
    gathered = ''
    lastSentAt = elapsed()
    transport.send(text)
    if (transport.bufferedAmount > maxUnsentBytes) onOverflow()
  }

  return {
    add(text) {
      if (gathered === '') flushLater()
      gathered += text
      if (gathered.length <= maxUnsentBytes) return
      gathered = ''
      onOverflow()
    },
    flush,
    beat(now, everyMs) {
      if (everyMs === 0) return Number.POSITIVE_INFINITY
      // Sooner than agreed, as what calls this is not exact.
      const dueMs = everyMs * 0.8
      const remainingMs = lastSentAt + dueMs - now
      if (remainingMs > 0) return remainingMs
      if (gathered === '') gathered = '\n'
      flush()
      return dueMs
    },
  }
}
