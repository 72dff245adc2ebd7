import { setTimeout as sleep } from 'node:timers/promises'
import { type RevocationEvent, SITE_SCOPE } from '../../../schema/live-event.ts'
import type { Closable } from '../lifecycle.ts'
import type { LiveDelivery, LiveReader } from '../live-topic/live-topics.ts'
import type { Logger } from '../logger.ts'
import type { CachedSpaceAccess } from './space-access.ts'

/** Longest pause between attempts to follow the topic: doubled from the shortest, less up to half of it by chance. */
const MIN_RETRY_MS = 50
const MAX_RETRY_MS = 2_000

/** What has changed; `unknown` when revocations may have been missed: any right may be another. */
export type RightsChange = RevocationEvent | { readonly kind: 'unknown' }

/** Tells of rights that change anywhere in the site. */
export interface RightsWatch extends Closable {
  /**
   * Calls the listener for each change, when `access` has already forgotten the roles that it touches. Returns what
   * ends that.
   */
  onChange(listener: (change: RightsChange) => void): () => void
}

/**
 * Starts to follow the site's revocations, for ever: through a Redis that is away, and on from where it stood.
 *
 * When it cannot know what it has missed, all of `access` is flushed and the change is `unknown`. So it is once at the
 * start too, for what was decided before the topic was followed.
 */
export function startRightsWatch({
  liveReader,
  access,
  logger,
}: {
  liveReader: Pick<LiveReader, 'subscribe'>
  access: Pick<CachedSpaceAccess, 'flush'>
  logger: Logger
}): RightsWatch {
  const listeners = new Set<(change: RightsChange) => void>()
  const closing = new AbortController()
  let deliveries: AsyncIterator<LiveDelivery<'revocation'>> | undefined
  let position: string | undefined
  let failures = 0

  function tell(change: RightsChange): void {
    flushRoles(access, change)
    for (const listener of [...listeners]) {
      try {
        listener(change)
      } catch (error) {
        logger.error({ err: error, kind: change.kind }, 'rights_watch.listener_failed')
      }
    }
  }

  function take(delivery: LiveDelivery<'revocation'>): void {
    const isBlind = delivery.event === null && (position === undefined || delivery.isGap)
    position = delivery.cursor
    if (isBlind) tell({ kind: 'unknown' })
    else if (delivery.event !== null) tell(delivery.event)
  }

  async function follow(): Promise<void> {
    const opened = await liveReader.subscribe('revocation', SITE_SCOPE, { after: position })
    deliveries = opened
    if (closing.signal.aborted) await opened.return?.()
    for await (const delivery of opened) {
      if (failures > 0) logger.info('rights_watch.recovered')
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
        if (failures === 0) logger.warn({ err: error }, 'rights_watch.lost')
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
      const own = (change: RightsChange) => listener(change)
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

/** Makes `access` forget the roles that a change touches. Sessions and credentials are no roles. */
export function flushRoles(access: Pick<CachedSpaceAccess, 'flush'>, change: RightsChange): void {
  if (change.kind === 'unknown') access.flush()
  else if (change.kind === 'membership-changed') access.flush(change.userId, change.spaceId)
  else if (change.kind === 'space-changed') access.flush(undefined, change.spaceId)
}
