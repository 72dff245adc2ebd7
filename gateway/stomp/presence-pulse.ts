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
 * for two rounds then: time for every door to flush first.
 */
export function startPresencePulse({
  registry,
  scripts,
  drain,
  logger,
  metrics,
  intervalMs = 1_000,
  now = () => performance.now(),
}: {
  registry: DrivenPresenceRegistry
  scripts: PresenceScripts
  drain: PresenceDrain
  logger: Logger
  metrics: PresenceMetrics
  /** Default 1 s. */
  intervalMs?: number
  /** Milliseconds of a clock that never steps. */
  now?: () => number
}): PresencePulse {
  let heldRounds = HELD_ROUNDS
  let lastRoundAt = now()
  let round: Promise<void> | undefined
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
      } else if ((await sweepPresence(scripts, metrics)).pending > 0) drain.request()
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
