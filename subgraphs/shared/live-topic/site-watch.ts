import { setTimeout as sleep } from 'node:timers/promises'
import { type LiveEventOf, SITE_SCOPE, type TopicKind } from '../../../schema/live-event.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import type { LiveDelivery, LiveReader } from './live-topics.ts'

/** Longest pause between attempts to follow the topic: doubled from the shortest, less up to half of it by chance. */
const MIN_RETRY_MS = 50
const MAX_RETRY_MS = 2_000

/** An event of a topic; `unknown` when some may have been missed: anything that they tell of may have changed. */
export type SiteChange<K extends TopicKind> = LiveEventOf[K] | { readonly kind: 'unknown' }

/** Tells of what changes anywhere in the site. */
export interface SiteWatch<K extends TopicKind> extends Closable {
  /** Calls the listener for each change, in order. Returns what ends that. */
  onChange(listener: (change: SiteChange<K>) => void): () => void
}

/**
 * Starts to follow a topic of the whole site, for ever: through a Redis that is away, and on from where it stood.
 *
 * When it cannot know what it has missed, it tells of the change `unknown`. So it does once at the start too, for what
 * was read before the topic was followed. `name` is that of the watch in logs.
 */
export function startSiteWatch<K extends TopicKind>({
  kind,
  name,
  liveReader,
  logger,
}: {
  kind: K
  name: string
  liveReader: Pick<LiveReader, 'subscribe'>
  logger: Logger
}): SiteWatch<K> {
  const listeners = new Set<(change: SiteChange<K>) => void>()
  const closing = new AbortController()
  let deliveries: AsyncIterator<LiveDelivery<K>> | undefined
  let position: string | undefined
  let failures = 0

  function tell(change: SiteChange<K>): void {
    for (const listener of [...listeners]) {
      try {
        listener(change)
      } catch (error) {
        const of = 'kind' in change ? change.kind : kind
        logger.error({ err: error, kind: of }, `${name}.listener_failed`)
      }
    }
  }

  function take(delivery: LiveDelivery<K>): void {
    const isFirst = position === undefined
    position = delivery.cursor
    if (!('isGap' in delivery)) tell(delivery.event)
    else if (isFirst || delivery.isGap) tell({ kind: 'unknown' })
  }

  async function follow(): Promise<void> {
    const opened = await liveReader.subscribe(kind, SITE_SCOPE, { after: position })
    deliveries = opened
    if (closing.signal.aborted) await opened.return?.()
    for await (const delivery of opened) {
      if (failures > 0) logger.info(`${name}.recovered`)
      failures = 0
      take(delivery)
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await follow()
      } catch (error) {
        if (closing.signal.aborted) return
        if (failures === 0) logger.warn({ err: error }, `${name}.lost`)
        const longest = Math.min(MIN_RETRY_MS * 2 ** failures++, MAX_RETRY_MS)
        const pause = longest * (1 - Math.random() / 2)
        await sleep(pause, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  const running = run()

  return {
    onChange(listener) {
      // One of its own, so that a listener that is given twice is told twice and taken back once.
      const own = (change: SiteChange<K>) => listener(change)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      listeners.clear()
      await deliveries?.return?.()
      await running
    },
  }
}
