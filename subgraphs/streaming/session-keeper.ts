import type { Redis } from 'ioredis'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { MediaPort } from '../shared/media-port.ts'
import { startRepeatedLoad } from '../shared/repeated-load.ts'
import { timeOfId } from '../shared/uuid-v7.ts'
import type { BroadcastSession, BroadcastSessions } from './broadcast-sessions.ts'
import type { MediaFeed } from './media-feed.ts'
import type { SessionGuard } from './session-guard.ts'

/** How often sessions are renewed, and lost ones looked for. */
const RENEW_MS = 10_000

/** How long a session may be noted before media has it: the deadline of a call. */
const OPENING_MS = 10_000

/** Sees to it that no session outlives its viewer, nor the process that keeps it. */
export interface SessionKeeper extends Closable {
  /** Somebody follows the signaling of a session. The answer tells that they are gone. */
  follow(session: BroadcastSession): () => void
}

/**
 * Starts to renew the sessions of this process, to forget those that have ended, and to take over those whose process is
 * gone. A session whose signaling was followed ends when nobody has for `graceMs` (default 30 s, with which a client that has lost
 * its socket comes again): media alone would see no reason while the viewer's transport lives on.
 */
export function startSessionKeeper({
  redis,
  sessions,
  feed,
  media,
  guard,
  logger,
  graceMs = 30_000,
  renewMs = RENEW_MS,
}: {
  redis: Redis
  sessions: BroadcastSessions
  feed: MediaFeed
  media: Pick<MediaPort, 'leave' | 'snapshotSession'>
  guard: SessionGuard
  logger: Logger
  graceMs?: number
  renewMs?: number
}): SessionKeeper {
  const followers = new Map<string, number>()
  const reaps = new Map<string, NodeJS.Timeout>()
  const warn = (event: string) => (error: unknown) => logger.warn({ err: error }, event)

  async function noteFollowed(): Promise<void> {
    const pipeline = redis.pipeline()
    for (const sessionId of followers.keys())
      pipeline.set(redisKeys.signalingFollowed(sessionId), '1', 'PX', graceMs)
    if (pipeline.length > 0) await pipeline.exec()
  }

  /** Ends a session that nobody follows, here or at another process. */
  async function reap(sessionId: string): Promise<void> {
    reaps.delete(sessionId)
    if (followers.has(sessionId)) return
    if ((await redis.exists(redisKeys.signalingFollowed(sessionId))) === 1) return
    await media.leave({ sessionId })
    logger.info({ sessionId }, 'streaming.session_reaped')
  }

  async function adopt(): Promise<void> {
    const { adopted, unknown } = await sessions.adopt()
    for (const sessionId of unknown) await media.leave({ sessionId })
    for (const session of adopted) {
      const isThere = await media.snapshotSession({ sessionId: session.sessionId }).then(
        () => true,
        () => false,
      )
      if (!isThere) await sessions.remove(session.sessionId)
      else await guard.check(session)
    }
  }

  /** After a gap: what media has no more, and is not just being opened. */
  async function forgetMissing(present: ReadonlySet<string>): Promise<void> {
    const openedBefore = Date.now() - OPENING_MS
    for (const { sessionId } of [...sessions.own.values()])
      if (!present.has(sessionId) && timeOfId(sessionId) < openedBefore) await sessions.remove(sessionId)
  }

  feed.onBroadcast(event => {
    if (!('type' in event)) return
    const present = new Set(event.sessions.map(({ sessionId }) => sessionId))
    forgetMissing(present).catch(warn('streaming.session_not_forgotten'))
  })
  feed.onSessionEnd(sessionId => {
    clearTimeout(reaps.get(sessionId))
    reaps.delete(sessionId)
    if (sessions.own.has(sessionId)) sessions.remove(sessionId).catch(warn('streaming.session_not_forgotten'))
  })
  const loop = startRepeatedLoad({
    intervalMs: renewMs,
    onError: warn('streaming.sessions_not_renewed'),
    async load() {
      await sessions.renew()
      await noteFollowed()
      await adopt()
    },
  })

  return {
    follow({ sessionId }) {
      clearTimeout(reaps.get(sessionId))
      reaps.delete(sessionId)
      followers.set(sessionId, (followers.get(sessionId) ?? 0) + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const left = (followers.get(sessionId) ?? 1) - 1
        if (left > 0) return void followers.set(sessionId, left)
        followers.delete(sessionId)
        const timer = setTimeout(() => {
          reap(sessionId).catch(warn('streaming.session_not_reaped'))
        }, graceMs + renewMs)
        reaps.set(sessionId, timer.unref())
      }
    },
    async [Symbol.asyncDispose]() {
      for (const timer of reaps.values()) clearTimeout(timer)
      await loop[Symbol.asyncDispose]()
    },
  }
}
