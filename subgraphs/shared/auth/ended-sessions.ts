import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { Closable } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import type { Db } from '../mysql/open-mysql.ts'
import type { RightsWatch } from '../permissions/rights-watch.ts'
import { startRepeatedLoad } from '../repeated-load.ts'
import { ACCESS_TOKEN_LIFETIME_MS } from './access-token.ts'
import { listEndedSessions } from './ended-session-repository.ts'
import type { Viewer } from './viewer.ts'

/** For clocks that differ, and for a token that is signed a moment after its session has ended. */
const MARGIN_MS = 60_000

const LOAD_DEADLINE_MS = 5_000

/** Sessions whose access tokens are refused though they have not expired. */
export interface EndedSessions extends Closable {
  /** Returns the viewer; throws UNAUTHENTICATED when their session has ended. */
  requireLive(viewer: Viewer): Viewer
  /** Calls the listener for each session that becomes known to have ended. Returns what ends that. */
  onEnded(listener: (sessionId: string) => void): () => void
}

/**
 * Starts to keep the sessions of the site that ended within the life of an access token: those of the database at the
 * start, from then on what the watch tells. So no request looks anything up.
 *
 * What the watch cannot tell of (Redis was away) is read from the database every `refreshIntervalMs` (default 10 s). At
 * most `maxEntries` (default 100,000) are kept, those that ended last. Rejects when the database does not answer at the
 * start; later failures are logged.
 */
export async function startEndedSessions({
  db,
  watch,
  logger,
  refreshIntervalMs = 10_000,
  maxEntries = 100_000,
}: {
  db: Db
  watch: Pick<RightsWatch, 'onChange'>
  logger: Logger
  refreshIntervalMs?: number
  maxEntries?: number
}): Promise<EndedSessions> {
  /** When each ended, epoch ms; in the order in which they became known. */
  const ended = new Map<string, number>()
  const listeners = new Set<(sessionId: string) => void>()
  let loadedUpToMs = Date.now() - ACCESS_TOKEN_LIFETIME_MS

  function add(sessionId: string, endedAtMs: number): void {
    const isNew = !ended.delete(sessionId)
    ended.set(sessionId, endedAtMs)
    if (isNew) for (const listener of [...listeners]) listener(sessionId)
    for (const [oldest, atMs] of ended) {
      if (ended.size <= maxEntries && atMs > Date.now() - ACCESS_TOKEN_LIFETIME_MS - MARGIN_MS) break
      ended.delete(oldest)
    }
  }

  async function load(): Promise<void> {
    const startedAtMs = Date.now()
    const since = new Date(loadedUpToMs - MARGIN_MS)
    const rows = await withDeadline('The lookup of ended sessions', LOAD_DEADLINE_MS, () =>
      listEndedSessions(db, { since, limit: maxEntries }),
    )
    for (const { sessionId, endedAt } of rows.reverse()) add(sessionId, endedAt?.getTime() ?? startedAtMs)
    loadedUpToMs = startedAtMs
  }

  const reload = startRepeatedLoad({
    load,
    intervalMs: refreshIntervalMs,
    onError: error => logger.warn({ err: error }, 'ended_sessions.not_loaded'),
  })
  // Listens before it loads, so that nothing is missed between.
  const stopListening = watch.onChange(change => {
    if (change.kind === 'session-ended') add(change.sessionId, Date.now())
    else if (change.kind === 'sessions-ended' || change.kind === 'unknown') reload.refresh()
  })
  await load().catch(async error => {
    stopListening()
    await reload[Symbol.asyncDispose]()
    throw error
  })

  return {
    requireLive(viewer) {
      if (viewer.kind === 'user' && ended.has(viewer.sessionId))
        throw new AppError('UNAUTHENTICATED', 'This session has ended. Sign in again.')
      return viewer
    },
    onEnded(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      stopListening()
      await reload[Symbol.asyncDispose]()
    },
  }
}
