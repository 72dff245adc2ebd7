import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { MediaPort } from '../shared/media-port.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { includesRole, RIGHTS } from '../shared/permissions/rights-table.ts'
import type { RightsChange, RightsWatch } from '../shared/permissions/rights-watch.ts'
import type { SpaceAccess } from '../shared/space-access.ts'
import type { BroadcastSession, BroadcastSessions } from './broadcast-sessions.ts'
import type { BroadcastStates } from './broadcast-states.ts'
import { hasSpace } from './status-repository.ts'

/** Ends the sessions, and broadcasts, of those who may watch, or send, no more. */
export interface SessionGuard extends Closable {
  /** Ends a session now unless its owner still has the right to it. Answers whether it goes on. */
  check(session: BroadcastSession): Promise<boolean>
}

/**
 * Starts to follow the changes of rights. A session whose owner's role cannot be looked up ends as well: who may have lost
 * it must not go on.
 */
export function startSessionGuard({
  sessions,
  states,
  media,
  db,
  access,
  watch,
  logger,
}: {
  sessions: BroadcastSessions
  states: BroadcastStates
  media: Pick<MediaPort, 'leave' | 'closeBroadcast'>
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

  async function end({ sessionId }: BroadcastSession): Promise<void> {
    await media.leave({ sessionId, reason: 'RIGHTS_ENDED' })
  }

  async function check(session: BroadcastSession): Promise<boolean> {
    const isRight = await mayGoOn(session).catch(() => false)
    if (!isRight) await end(session)
    return isRight
  }

  function take(change: RightsChange): void {
    for (const session of [...sessions.own.values()]) {
      const verdict = judge(change, session)
      if (verdict === 'untouched') continue
      const work = verdict === 'over' ? end(session) : check(session)
      work.catch(error => logger.error({ err: error }, 'streaming.session_not_ended'))
    }
    // What devices send by RTP shows nothing by which it could be refused.
    const work =
      change.kind === 'credential-revoked'
        ? media.closeBroadcast({ deviceId: change.deviceId })
        : change.kind === 'space-changed' && closeSpace(change.spaceId)
    if (work) work.catch(error => logger.error({ err: error }, 'streaming.broadcast_not_ended'))
  }

  /** Ends the broadcasts of a space that was deleted. */
  async function closeSpace(spaceId: string): Promise<void> {
    const broadcasts = await states.list(spaceId)
    if (broadcasts.length === 0 || (await hasSpace(db, spaceId))) return
    for (const { deviceId } of broadcasts) await media.closeBroadcast({ deviceId })
  }

  const stop = watch.onChange(take)
  return {
    check,
    async [Symbol.asyncDispose]() {
      stop()
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
