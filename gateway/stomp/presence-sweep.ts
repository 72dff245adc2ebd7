import type { PresenceMetrics } from './presence-metrics.ts'
import type { PresenceScripts } from './presence-scripts.ts'

/** Devices in one call of the script: bounds how long it holds Redis (about 1 ms). */
const SWEEP_BATCH = 100

/** Batches in one sweep; what is left waits for the next. */
const MAX_BATCHES = 50

/** What a sweep came to. */
export interface Sweep {
  readonly offline: number
  /** Devices with transitions that are not in the ingest log yet. */
  readonly pending: number
  /** Nobody was taken, as the clock of Redis is another than expected. */
  readonly isOff: boolean
  /** Another one once Redis has lost everything. */
  readonly epoch: string
  /** The clock of Redis, epoch ms. */
  readonly clock: number
}

/**
 * Takes devices offline whose deadline has passed, whichever door they were at, each dated at its last life sign. Any
 * number of doors may sweep at once: each batch is one atomic step.
 */
export async function sweepPresence(
  scripts: PresenceScripts,
  metrics: PresenceMetrics,
  expected?: { readonly clock: number; readonly slackMs: number },
): Promise<Sweep> {
  let swept = 0
  for (let batch = 1; ; batch++) {
    const sweep = await scripts.sweep(SWEEP_BATCH, expected)
    swept += sweep.offline
    if (sweep.expired === SWEEP_BATCH && batch < MAX_BATCHES) continue
    metrics.swept.inc(swept)
    metrics.pending.set(sweep.pending)
    return { ...sweep, offline: swept }
  }
}
