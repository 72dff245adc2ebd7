import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { AppError } from '../shared/errors.ts'

/** Whose a session at media is. */
export interface BroadcastSession {
  readonly sessionId: string
  readonly deviceId: string
  readonly spaceId: string
  readonly role: 'viewer' | 'publisher'
  /** A user by this sign-in, or the device itself. */
  readonly owner:
    | { readonly kind: 'user'; readonly userId: string; readonly signInId: string }
    | { readonly kind: 'device'; readonly deviceId: string }
  /** Of media. */
  readonly nodeId: string | null
}

/** Life of what is known of a session after it was last renewed. */
const SESSION_TTL_MS = 300_000

/** After so long without being renewed a session has lost the process that kept it. */
const LATE_AFTER_MS = 30_000

/** Lost sessions that are taken over at once. */
const MAX_ADOPTED = 500

/** The sessions at media, whichever process has opened them. Rejects as ioredis does when the live Redis is away. */
export interface BroadcastSessions {
  /** Sessions that this process keeps. */
  readonly own: ReadonlyMap<string, BroadcastSession>
  /** Notes a session and keeps it. */
  add(session: BroadcastSession): Promise<void>
  /** Finds a session of the caller; null for that of anybody else, or none. One round trip at most. */
  find(viewer: Viewer, sessionId: string): Promise<BroadcastSession | null>
  /** Forgets a session. */
  remove(sessionId: string): Promise<void>
  /** Puts a session on the seat of its player. Answers the one that sat there. */
  seat(seat: string, sessionId: string): Promise<string | null>
  /** Renews the sessions of this process. */
  renew(): Promise<void>
  /** Takes over sessions whose process is gone. Answers them, and the ids of those of which nothing more is known. */
  adopt(): Promise<{ adopted: BroadcastSession[]; unknown: string[] }>
}

/** Names the seat of a player: who watches what by which sign-in. */
export function seatOf(owner: BroadcastSession['owner'], deviceId: string, clientId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, deviceId, clientId]))
    .digest('hex')
    .slice(0, 40)
}

/** Creates the registry of a process. */
export function createBroadcastSessions({
  redis,
  lateAfterMs = LATE_AFTER_MS,
}: {
  redis: Redis
  lateAfterMs?: number
}): BroadcastSessions {
  const own = new Map<string, BroadcastSession>()
  const deadlines = redisKeys.broadcastSessionDeadlines()

  async function renew(sessions: Iterable<BroadcastSession>): Promise<void> {
    const pipeline = redis.pipeline()
    const lateAt = Date.now() + lateAfterMs
    for (const session of sessions) {
      const { sessionId } = session
      pipeline.set(redisKeys.broadcastSession(sessionId), JSON.stringify(session), 'PX', SESSION_TTL_MS)
      pipeline.zadd(deadlines, lateAt, sessionId)
    }
    if (pipeline.length === 0) return
    const failed = (await pipeline.exec())?.find(([error]) => error !== null)
    if (failed !== undefined)
      throw new AppError('UNAVAILABLE', 'Sessions cannot be noted now. Try again.', { cause: failed[0] })
  }

  async function read(sessionId: string): Promise<BroadcastSession | null> {
    const text = await redis.get(redisKeys.broadcastSession(sessionId))
    return text === null ? null : (JSON.parse(text) as BroadcastSession)
  }

  return {
    own,
    async add(session) {
      own.set(session.sessionId, session)
      try {
        await renew([session])
      } catch (error) {
        own.delete(session.sessionId)
        throw error
      }
    },
    async find(viewer, sessionId) {
      const session = own.get(sessionId) ?? (await read(sessionId))
      return session !== null && isOwner(session, viewer) ? session : null
    },
    async remove(sessionId) {
      own.delete(sessionId)
      await redis.pipeline().del(redisKeys.broadcastSession(sessionId)).zrem(deadlines, sessionId).exec()
    },
    seat: (seat, sessionId) =>
      redis.set(redisKeys.broadcastSeat(seat), sessionId, 'PX', SESSION_TTL_MS, 'GET'),
    renew: () => renew(own.values()),
    async adopt() {
      const adopted: BroadcastSession[] = []
      const unknown: string[] = []
      for (const sessionId of await redis.zrangebyscore(
        deadlines,
        '-inf',
        Date.now(),
        'LIMIT',
        0,
        MAX_ADOPTED,
      )) {
        // Whoever takes it out has it.
        if (own.has(sessionId) || (await redis.zrem(deadlines, sessionId)) === 0) continue
        const session = await read(sessionId)
        if (session === null) unknown.push(sessionId)
        else {
          own.set(sessionId, session)
          adopted.push(session)
        }
      }
      await renew(adopted)
      return { adopted, unknown }
    },
  }
}

function isOwner({ owner }: BroadcastSession, viewer: Viewer): boolean {
  return owner.kind === 'user'
    ? viewer.kind === 'user' && viewer.userId === owner.userId
    : viewer.kind === 'device' && viewer.deviceId === owner.deviceId
}
