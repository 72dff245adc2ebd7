import type { PresenceMetrics } from './presence-metrics.ts'
import type { PresenceScripts } from './presence-scripts.ts'

/** Devices in one call of the script: bounds how long it holds Redis (about 1 ms). */
const SWEEP_BATCH = 100

/** Batches in one sweep; what is left waits for the next. */
const MAX_BATCHES = 50

/**
 * Takes devices offline whose deadline has passed, whichever door they were at, each dated at its last life sign.
 * Resolves to how many went offline and for how many devices transitions are pending. Any number of doors may sweep
 * at once: each batch is one atomic step.
 */
export async function sweepPresence(
  scripts: PresenceScripts,
  metrics: PresenceMetrics,
): Promise<{ offline: number; pending: number }> {
  let swept = 0
  for (let batch = 1; ; batch++) {
    const { expired, offline, pending } = await scripts.sweep(SWEEP_BATCH)
    swept += offline
    if (expired === SWEEP_BATCH && batch < MAX_BATCHES) continue
    metrics.swept.inc(swept)
    metrics.pending.set(pending)
    return { offline: swept, pending }
  }
}
