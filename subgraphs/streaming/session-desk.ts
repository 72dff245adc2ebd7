import type { Viewer } from '../shared/auth/viewer.ts'
import { AppError } from '../shared/errors.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { JoinedSession, MediaPort } from '../shared/media-port.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type BroadcastSession, type BroadcastSessions, seatOf } from './broadcast-sessions.ts'
import type { BroadcastStates } from './broadcast-states.ts'
import type { MediaFeed } from './media-feed.ts'
import { askMedia, type RefusalFields } from './media-refusal.ts'
import type { SessionGuard } from './session-guard.ts'

/** A device whose space the caller may see. */
export interface SeenDevice {
  readonly deviceId: string
  readonly spaceId: string
}

/** Opens sessions at media and finds them again; whoever opens one has looked at the rights. */
export interface SessionDesk {
  /**
   * Lets a viewer in, in the place of their earlier session of the same `clientId`. CONFLICT without a broadcast, UNAVAILABLE
   * while media cannot say whether there is one.
   */
  join(viewer: Viewer, device: SeenDevice, clientId: string): Promise<JoinedSession>
  /** Lets a publisher in; fails as `join` does. */
  publish(viewer: Viewer, device: SeenDevice): Promise<JoinedSession>
  /** Asks media on behalf of a session of the caller: no SQL. NOT_FOUND for that of anybody else. */
  call<T>(
    viewer: Viewer,
    sessionId: string,
    fields: Partial<RefusalFields>,
    work: (media: MediaPort) => Promise<T>,
  ): Promise<T>
  /** Finds a session of the caller. */
  find(viewer: Viewer, sessionId: string): Promise<BroadcastSession | null>
}

/** What those are told whose session it is not, whether there is such a session or not. */
export const NO_SESSION = 'There is no such session.'

/** Ids of media and ours; what is longer is none, and need not be looked up. */
const MAX_ID_LENGTH = 64

/** Creates the desk of a process. */
export function createSessionDesk({
  media,
  states,
  sessions,
  feed,
  guard,
}: {
  media: MediaPort
  states: BroadcastStates
  sessions: BroadcastSessions
  feed: Pick<MediaFeed, 'nodeId'>
  guard: SessionGuard
}): SessionDesk {
  /** What is not noted may be there all the same, at a media of which nothing has been heard. */
  async function requireBroadcast({ deviceId }: SeenDevice): Promise<void> {
    const [noted = null] = await states.load([deviceId])
    const broadcast = noted ?? (await media.findBroadcast({ deviceId }))
    if (!broadcast?.broadcastId) refuseWithout()
  }

  /** What is noted may be there no more. */
  async function enterBroadcast(enter: () => Promise<JoinedSession>): Promise<JoinedSession> {
    try {
      return await enter()
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') refuseWithout()
      throw error
    }
  }

  /** Notes the session before media has it, so that whatever ends it finds it. */
  async function open(
    session: BroadcastSession,
    enter: () => Promise<JoinedSession>,
  ): Promise<JoinedSession> {
    await sessions.add(session)
    try {
      const joined = await askMedia({ missing: 'deviceId' }, () => enterBroadcast(enter))
      // The right may have been lost between the look at it and the note.
      if (!(await guard.check(session))) refuse('NOT_FOUND', 'deviceId', 'There is no such device.')
      return joined
    } catch (error) {
      await sessions.remove(session.sessionId)
      throw error
    }
  }

  const toSession = (
    viewer: Viewer,
    device: SeenDevice,
    role: BroadcastSession['role'],
  ): BroadcastSession => ({
    ...{ sessionId: newId(), ...device, role, nodeId: feed.nodeId ?? null },
    owner:
      viewer.kind === 'user'
        ? { kind: 'user', userId: viewer.userId, signInId: viewer.sessionId }
        : { kind: 'device', deviceId: viewer.deviceId },
  })

  async function find(viewer: Viewer, sessionId: string): Promise<BroadcastSession | null> {
    return sessionId.length > MAX_ID_LENGTH ? null : sessions.find(viewer, sessionId)
  }

  return {
    async join(viewer, device, clientId) {
      await requireBroadcast(device)
      const session = toSession(viewer, device, 'viewer')
      const { sessionId, deviceId, owner } = session
      return open(session, async () => {
        const replaces = await sessions.seat(seatOf(owner, deviceId, clientId), sessionId)
        return media.join({ deviceId, sessionId, ...(replaces !== null && { replaces }) })
      })
    },
    async publish(viewer, device) {
      await requireBroadcast(device)
      const session = toSession(viewer, device, 'publisher')
      const { sessionId, deviceId } = session
      return open(session, () => media.publish({ deviceId, sessionId }))
    },
    async call(viewer, sessionId, fields, work) {
      const session = await find(viewer, sessionId)
      if (session === null) refuse('NOT_FOUND', 'sessionId', NO_SESSION)
      return askMedia({ missing: 'sessionId', ...fields }, () => work(media))
    },
    find,
  }
}

function refuseWithout(): never {
  refuse('CONFLICT', 'deviceId', 'This device does not broadcast now.')
}
