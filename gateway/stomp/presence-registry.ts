import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { AppError, toAppError } from '../../subgraphs/shared/errors.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { PresenceRegistry } from './door-ports.ts'
import type { PresenceMetrics } from './presence-metrics.ts'
import type { PresenceScripts, ScriptSession, ScriptTouch, TouchReport } from './presence-scripts.ts'

/** Bounds and times of the registry. */
export interface PresenceLimits {
  /** How often `flush` is called; a deadline allows for twice that, since a life sign may wait that long here. */
  readonly flushIntervalMs: number
  /** How long a session without life signs of its own (tolerance 0) outlives a crash of its door. */
  readonly doorLeaseMs: number
  /** For the Redis call of a CONNECT. */
  readonly connectDeadlineMs: number
  /** Ends of sessions that wait for a Redis that is away; past it the sweep has to find them. */
  readonly maxWaitingEnds: number
}

/** Bounds and times unless said otherwise. */
export const PRESENCE_LIMITS: PresenceLimits = {
  flushIntervalMs: 1_000,
  doorLeaseMs: 30_000,
  connectDeadlineMs: 5_000,
  maxWaitingEnds: 10_000,
}

/** The registry with what the pulse drives. */
export interface DrivenPresenceRegistry extends PresenceRegistry {
  /** Writes life signs and moved deadlines since the last flush, in one round trip per 1,000 sessions. */
  flush(): Promise<void>
  /** Writes all sessions with the next flush and lets their deadlines run anew: Redis may have lost or misjudged them. */
  restart(): void
  /** A session of `generation` began elsewhere: an older one here says nothing any more. */
  forget(deviceId: string, generation: number): void
}

interface Session {
  readonly deviceId: string
  readonly spaceId: string
  /** As the door knows it. */
  readonly generation: number
  /** As Redis knows it: rises when the session is revived. */
  storedGeneration: number
  onlineId: string
  readonly toleranceMs: number
  /** Of the last life sign, epoch ms; rises although the clock of the wall may be set back. */
  lastSeenAt: number
  /** When that was, and when its deadline was last moved, by the clock that only goes forwards. */
  signedAt: number
  flushedAt: number
  hasSign: boolean
}

/**
 * Creates the presence registry of one door: the sessions it holds, and what Redis has to know of them.
 *
 * An episode is online once and offline once, under a generation of its own. A session may span several: when a stall
 * let the sweep take its device offline, its next life sign begins a new one. A life sign counts only while the door
 * holds the session and no newer one exists, so a dead session never brings a device back.
 *
 * `onTransitions` is called when transitions wait to be drained, `onTakenOver` when a flush finds a newer session of a
 * device at another door (its take-over message may have been lost).
 */
export function createPresenceRegistry({
  scripts,
  doorId,
  logger,
  metrics,
  onTransitions,
  onTakenOver,
  limits = PRESENCE_LIMITS,
  elapsed = () => performance.now(),
}: {
  scripts: PresenceScripts
  doorId: string
  logger: Logger
  metrics: PresenceMetrics
  onTransitions: () => void
  onTakenOver: (deviceId: string, generation: number) => void
  limits?: PresenceLimits
  /** Milliseconds of a clock that only goes forwards. */
  elapsed?: () => number
}): DrivenPresenceRegistry {
  const sessions = new Map<string, Session>()
  const waitingEnds = new Set<Session>()
  const graceMs = 2 * limits.flushIntervalMs
  let isSuspended = false
  let restartedAt = Number.NEGATIVE_INFINITY
  let resumedAt = Number.NEGATIVE_INFINITY
  let flushing: Promise<void> | undefined

  const deadlineMsOf = (toleranceMs: number) =>
    toleranceMs === 0 ? limits.doorLeaseMs : toleranceMs + graceMs

  /** A session of which nothing came for that long is no more what brings its device back. */
  const isAlive = ({ signedAt, toleranceMs }: Session, at: number) =>
    toleranceMs === 0 || at - Math.max(signedAt, resumedAt) < deadlineMsOf(toleranceMs)

  const needsFlush = (session: Session, at: number) =>
    session.hasSign ||
    isSuspended ||
    (session.flushedAt <= Math.max(restartedAt, resumedAt) && isAlive(session, at)) ||
    (session.toleranceMs === 0 && at - session.flushedAt >= limits.doorLeaseMs / 3)

  function touchOf(session: Session, at: number): ScriptTouch {
    const since =
      isSuspended || session.toleranceMs === 0 ? at : Math.max(session.signedAt, restartedAt, resumedAt)
    return {
      ...scriptSession(session),
      hasSign: session.hasSign,
      deadlineMs: Math.max(0, deadlineMsOf(session.toleranceMs) - Math.max(0, at - since)),
    }
  }

  function heed(session: Session, report: TouchReport): void {
    if (report.kind === 'stale') {
      // Our own door and no newer session here: a revival whose answer was lost.
      const isOurs = report.text === doorId && sessions.get(session.deviceId) === session
      if (isOurs) session.storedGeneration = report.generation
      else if (sessions.get(session.deviceId) === session) {
        sessions.delete(session.deviceId)
        metrics.sessions.set(sessions.size)
        onTakenOver(session.deviceId, report.generation)
      }
      return
    }
    metrics[report.kind].inc()
    session.storedGeneration = report.generation
    session.onlineId = report.text
    onTransitions()
  }

  async function flushSessions(): Promise<void> {
    const at = elapsed()
    const due = [...sessions.values()].filter(session => needsFlush(session, at))
    if (due.length === 0) return
    const touches = due.map(session => touchOf(session, at))
    const before = due.map(({ hasSign, flushedAt }) => ({ hasSign, flushedAt }))
    for (const session of due) {
      session.hasSign = false
      session.flushedAt = at
    }
    try {
      for (const report of await scripts.touch(touches)) {
        const session = due[report.index]
        if (session !== undefined) heed(session, report)
      }
    } catch (error) {
      for (const [index, session] of due.entries()) {
        session.hasSign ||= before[index]?.hasSign === true
        session.flushedAt = before[index]?.flushedAt ?? Number.NEGATIVE_INFINITY
      }
      throw error
    }
  }

  async function end(session: Session): Promise<void> {
    // A revival under way decides the generation that ends.
    await flushing?.catch(() => {})
    if (await scripts.disconnect(scriptSession(session))) onTransitions()
  }

  async function endWaiting(): Promise<void> {
    await Promise.all(
      [...waitingEnds].map(async session => {
        if (await scripts.disconnect(scriptSession(session))) onTransitions()
        waitingEnds.delete(session)
      }),
    )
  }

  return {
    async connect(device, at, toleranceMs) {
      const { deviceId, spaceId } = device
      const beganAt = elapsed()
      const answer = await withDeadline('The presence registry', limits.connectDeadlineMs, () =>
        scripts.connect({ deviceId, spaceId, at }, deadlineMsOf(toleranceMs)),
      ).catch(error => {
        throw toAppError(error)
      })
      if (answer === null)
        throw new AppError('UNAVAILABLE', 'Too many presence changes wait for the ingest log. Try again.')
      const { generation, onlineId, wasOnline } = answer
      const held = sessions.get(deviceId)
      if (held === undefined || held.generation < generation) {
        sessions.set(deviceId, {
          ...{ deviceId, spaceId, generation, storedGeneration: generation, onlineId, toleranceMs },
          ...{ lastSeenAt: at, signedAt: beganAt, flushedAt: beganAt, hasSign: false },
        })
        metrics.sessions.set(sessions.size)
      }
      if (wasOnline) metrics.takeOvers.inc()
      else onTransitions()
      return { generation }
    },

    touch(deviceId, generation, at) {
      const session = sessions.get(deviceId)
      if (session?.generation !== generation || at === session.lastSeenAt) return
      session.lastSeenAt = Math.max(at, session.lastSeenAt + 1)
      session.signedAt = elapsed()
      session.hasSign = true
    },

    async disconnect(deviceId, generation, at) {
      const session = sessions.get(deviceId)
      if (session?.generation !== generation) return
      sessions.delete(deviceId)
      metrics.sessions.set(sessions.size)
      session.lastSeenAt = Math.max(session.lastSeenAt, at)
      try {
        await end(session)
      } catch (error) {
        if (waitingEnds.size < limits.maxWaitingEnds) waitingEnds.add(session)
        logger.warn({ err: error, waiting: waitingEnds.size }, 'presence.end_waits')
      }
    },

    forget(deviceId, generation) {
      const session = sessions.get(deviceId)
      if (session === undefined || session.storedGeneration >= generation) return
      sessions.delete(deviceId)
      metrics.sessions.set(sessions.size)
    },

    suspend() {
      isSuspended = true
    },

    resume() {
      isSuspended = false
      resumedAt = elapsed()
    },

    restart() {
      restartedAt = elapsed()
    },

    async flush() {
      flushing ??= flushSessions().finally(() => {
        flushing = undefined
      })
      await flushing
      await endWaiting()
    },
  }
}

function scriptSession(session: Session): ScriptSession {
  const { deviceId, spaceId, storedGeneration, lastSeenAt, onlineId } = session
  return { deviceId, spaceId, generation: storedGeneration, at: lastSeenAt, onlineId }
}
