import { setTimeout as sleep } from 'node:timers/promises'
import { compareCursors } from '../../subgraphs/shared/live-topic/live-cursor.ts'
import { createEventBatch, type EventPayload } from './event-payload.ts'
import { isUnavailable, type UpstreamLimits } from './group-upstream.ts'
import type { PastPages } from './past-pages.ts'
import type { Subscriber } from './subscriber.ts'

/** Sends a subscriber what it has missed of a topic. */
export interface Replay {
  /** Up to where it has been sent everything. */
  readonly position: string
  /**
   * Sends everything between the position and the topic's end as it is now, in order, no faster than the subscriber's
   * transport takes it; stops early when `isWanted` says no. Where events are not kept any more it sends a gap and goes
   * on after it. Rejects when the stream is refused, or cannot be opened within its deadline.
   */
  run(isWanted: () => boolean): Promise<void>
  /** Sends a payload, when the transport takes it, unless it lies before the position. */
  skipOrSend(payload: EventPayload, isWanted: () => boolean): Promise<void>
}

/** Pause before a page that could not be read is asked for again. */
const PAUSE_MS = 200

/** Creates a replay of what came after a cursor. */
export function createReplay({
  after,
  pages,
  subscriber,
  limits: { reopenDeadlineMs },
}: {
  after: string
  pages: PastPages
  subscriber: Subscriber
  limits: UpstreamLimits
}): Replay {
  let position = after
  let lostAt: number | undefined

  async function send(payload: EventPayload, isWanted: () => boolean): Promise<void> {
    await subscriber.whenWritable()
    if (!isWanted()) return
    position = payload.cursor ?? position
    subscriber.next(createEventBatch([payload]))
  }

  /** Answers whether it was the last. */
  async function sendPage(since: number, isWanted: () => boolean): Promise<boolean> {
    const page = await pages.read(position, since)
    lostAt = undefined
    for (const payload of page.payloads) {
      if (!isWanted()) return true
      await send(payload, isWanted)
    }
    if (isWanted()) position = page.position
    return page.isLast
  }

  return {
    get position() {
      return position
    },
    async run(isWanted) {
      const since = pages.now()
      while (isWanted()) {
        try {
          if (await sendPage(since, isWanted)) return
        } catch (error) {
          lostAt ??= performance.now()
          if (!isUnavailable(error) || performance.now() - lostAt >= reopenDeadlineMs) throw error
          await sleep(PAUSE_MS)
        }
      }
    },
    async skipOrSend(payload, isWanted) {
      const isPast = payload.cursor !== undefined && compareCursors(payload.cursor, position) <= 0
      if (!isPast) return send(payload, isWanted)
      if (!payload.isGap) return
      await subscriber.whenWritable()
      if (isWanted()) subscriber.next(createEventBatch([payload]))
    },
  }
}
