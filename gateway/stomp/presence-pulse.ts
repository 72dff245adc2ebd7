import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { PresenceDrain } from './presence-drain.ts'
import type { PresenceMetrics } from './presence-metrics.ts'
import type { DrivenPresenceRegistry } from './presence-registry.ts'
import type { PresenceScripts } from './presence-scripts.ts'
import { sweepPresence } from './presence-sweep.ts'

/** Rounds without a sweep after a failed or late one, and at the start. */
const HELD_ROUNDS = 2

/** A round this many intervals after the one before is late. */
const LATE_INTERVALS = 3

/** How far the clock of Redis may be from what is expected, in intervals. */
const CLOCK_SLACK_INTERVALS = 2

/** The beat of a door's presence. Dispose stops it, then flushes and drains once more. */
export interface PresencePulse {
  /** Does a round now; rounds never overlap. Never rejects. */
  beat(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Begins the rounds of a door: flush, then sweep, then ask for a drain when anything is pending.
 *
 * After a stall of Redis or of this process the deadlines of living sessions have passed unseen. So the sweep is held
 * for two rounds then: time for every door to flush first. So it is when the clock of Redis was set, and when Redis has
 * lost everything: then all sessions are written anew as well. `onLoss` is called for that, once for each loss that this
 * door sees.
 */
export function startPresencePulse({
  registry,
  scripts,
  drain,
  logger,
  metrics,
  onLoss = () => {},
  intervalMs = 1_000,
  now = () => performance.now(),
}: {
  registry: DrivenPresenceRegistry
  scripts: PresenceScripts
  drain: PresenceDrain
  logger: Logger
  metrics: PresenceMetrics
  onLoss?: () => void
  /** Default 1 s. */
  intervalMs?: number
  /** Milliseconds of a clock that never steps. */
  now?: () => number
}): PresencePulse {
  let heldRounds = HELD_ROUNDS
  let lastRoundAt = now()
  let round: Promise<void> | undefined
  let seen: { clock: number; at: number; epoch: string } | undefined
  let isClosed = false
  let timer: NodeJS.Timeout

  async function doRound(): Promise<void> {
    const startedAt = now()
    if (startedAt - lastRoundAt > LATE_INTERVALS * intervalMs) heldRounds = HELD_ROUNDS
    lastRoundAt = startedAt
    try {
      await registry.flush()
      if (heldRounds > 0) {
        heldRounds--
        drain.request()
        return
      }
      const expected =
        seen === undefined
          ? undefined
          : {
              clock: Math.round(seen.clock + now() - seen.at),
              slackMs: CLOCK_SLACK_INTERVALS * intervalMs,
            }
      const { pending, epoch, clock, isOff } = await sweepPresence(scripts, metrics, expected)
      const isLost = seen !== undefined && seen.epoch !== epoch
      seen = { clock, at: now(), epoch }
      if (pending > 0) drain.request()
      if (!isOff && !isLost) return
      logger.warn({ isLost, clockIsSet: isOff }, 'presence.restarted')
      heldRounds = HELD_ROUNDS
      registry.restart()
      if (isLost) onLoss()
    } catch (error) {
      heldRounds = HELD_ROUNDS
      metrics.failures.inc()
      logger.warn({ err: error }, 'presence.round_failed')
    }
  }

  function beat(): Promise<void> {
    round ??= doRound().finally(() => {
      round = undefined
    })
    return round
  }

  function plan(): void {
    timer = setTimeout(() => {
      beat().then(() => {
        if (!isClosed) plan()
      })
    }, intervalMs)
  }
  plan()

  return {
    beat,
    async [Symbol.asyncDispose]() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      await round
      try {
        await registry.flush()
        await drain.drain()
      } catch (error) {
        logger.warn({ err: error }, 'presence.last_drain_failed')
      }
    },
  }
}
