import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { MediaPort } from '../shared/media-port.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { includesRole, RIGHTS } from '../shared/permissions/rights-table.ts'
import type { RightsChange, RightsWatch } from '../shared/permissions/rights-watch.ts'
import type { SpaceAccess } from '../shared/space-access.ts'
import type { BroadcastSession, BroadcastSessions } from './broadcast-sessions.ts'
import type { BroadcastStates } from './broadcast-states.ts'
import { type OverdueEnds, startOverdueEnds } from './overdue-ends.ts'
import { hasSpace } from './status-repository.ts'

/** Ends the sessions, and broadcasts, of those who may watch, or send, no more. */
export interface SessionGuard extends Closable {
  /** Ends a session now unless its owner still has the right to it. Answers whether it goes on. */
  check(session: BroadcastSession): Promise<boolean>
}

/**
 * Starts to follow the changes of rights. A session whose owner's role cannot be looked up ends as well: who may have lost
 * it must not go on. What cannot be ended while media, or a store, is away is ended when that is back: see `startOverdueEnds`.
 */
export function startSessionGuard({
  sessions,
  states,
  broadcastEnds,
  media,
  db,
  access,
  watch,
  logger,
}: {
  sessions: BroadcastSessions
  states: BroadcastStates
  broadcastEnds: Pick<OverdueEnds, 'end'>
  media: Pick<MediaPort, 'leave'>
  db: Db
  access: SpaceAccess
  watch: Pick<RightsWatch, 'onChange'>
  logger: Logger
}): SessionGuard {
  async function mayGoOn({ owner, role, spaceId }: BroadcastSession): Promise<boolean> {
    if (owner.kind === 'device') return true
    const held = await access.roleOf(owner.userId, spaceId)
    return held !== null && includesRole(held, RIGHTS[role === 'viewer' ? 'space.read' : 'broadcast.control'])
  }

  const sessionEnds = startOverdueEnds({
    what: 'session',
    logger,
    endOne: sessionId => media.leave({ sessionId, reason: 'RIGHTS_ENDED' }),
  })
  const spaceEnds = startOverdueEnds({ what: 'broadcasts of a space', logger, endOne: closeSpace })

  async function check(session: BroadcastSession): Promise<boolean> {
    const isRight = await mayGoOn(session).catch(() => false)
    if (!isRight) await sessionEnds.end(session.sessionId)
    return isRight
  }

  function take(change: RightsChange): void {
    for (const session of [...sessions.own.values()]) {
      const verdict = judge(change, session)
      if (verdict === 'untouched') continue
      const work = verdict === 'over' ? sessionEnds.end(session.sessionId) : check(session)
      work.catch(error => logger.error({ err: error }, 'streaming.session_not_ended'))
    }
    // What devices send by RTP shows nothing by which it could be refused.
    const work =
      change.kind === 'credential-revoked'
        ? broadcastEnds.end(change.deviceId)
        : change.kind === 'space-changed' && spaceEnds.end(change.spaceId)
    if (work) work.catch(error => logger.error({ err: error }, 'streaming.broadcast_not_ended'))
  }

  /** Ends the broadcasts of a space that was deleted. Those that fail are tried again each by itself. */
  async function closeSpace(spaceId: string): Promise<void> {
    const broadcasts = await states.list(spaceId)
    if (broadcasts.length === 0 || (await hasSpace(db, spaceId))) return
    const ends = await Promise.allSettled(broadcasts.map(({ deviceId }) => broadcastEnds.end(deviceId)))
    const errors = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
    if (errors.length === 0) return
    const counts = { failed: errors.length, of: broadcasts.length }
    logger.error({ err: errors[0], spaceId, ...counts }, 'streaming.broadcasts_not_ended')
  }

  const stop = watch.onChange(take)
  return {
    check,
    async [Symbol.asyncDispose]() {
      stop()
      await Promise.all([sessionEnds, spaceEnds].map(ends => ends[Symbol.asyncDispose]()))
    },
  }
}

/** What a change means for a session. */
function judge(
  change: RightsChange,
  { owner, spaceId }: BroadcastSession,
): 'over' | 'in doubt' | 'untouched' {
  const isUsers = (userId: string) => owner.kind === 'user' && owner.userId === userId
  switch (change.kind) {
    case 'unknown':
      return 'in doubt'
    case 'space-changed':
      return change.spaceId === spaceId ? 'in doubt' : 'untouched'
    case 'membership-changed':
      return change.spaceId === spaceId && isUsers(change.userId) ? 'in doubt' : 'untouched'
    case 'session-ended':
      return isUsers(change.userId) && owner.kind === 'user' && owner.signInId === change.sessionId
        ? 'over'
        : 'untouched'
    case 'sessions-ended':
      return isUsers(change.userId) ? 'over' : 'untouched'
    case 'credential-revoked':
      return owner.kind === 'device' && owner.deviceId === change.deviceId ? 'over' : 'untouched'
  }
}
