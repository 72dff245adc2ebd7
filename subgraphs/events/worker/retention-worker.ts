import type { Pool } from 'mysql2/promise'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Metrics } from '../../shared/metrics.ts'
import { readDatabaseClock } from './database-clock.ts'
import { startLeasedJob } from './leased-job.ts'
import { SWEEP_PACE, type SweepPace, sweepRetention } from './retention-sweep.ts'
import { createWorkerMetrics } from './worker-metrics.ts'

/** What the worker needs. */
export interface RetentionWorkerOptions {
  readonly pool: Pool
  /** Names this process in the lease: 1 to 64 characters, the same when it is started anew. */
  readonly owner: string
  /** Days that the site keeps what a space says nothing about. */
  readonly retentionDays: number
  readonly logger: Logger
  readonly metrics: Metrics
  /** Tells the time, in epoch milliseconds. Default: the database's clock, which all workers share. */
  readonly now?: () => Promise<number>
  /** From the end of a sweep of the site to the next. Default 1 h. */
  readonly intervalMs?: number
  /** Between looks whether there is something to do. Default 1 min. */
  readonly pollMs?: number
  readonly pace?: Partial<SweepPace>
}

/** Starts to keep the tables to the retention (retention-sweep.ts), as startLeasedJob does a job. */
export function startRetentionWorker(options: RetentionWorkerOptions): Closable {
  const { pool, owner, retentionDays, logger, intervalMs = 60 * 60_000, pollMs = 60_000 } = options
  const { now = () => readDatabaseClock(pool) } = options
  const metrics = createWorkerMetrics(options.metrics)
  return startLeasedJob({
    ...{ pool, job: 'retention', owner, intervalMs, pollMs, logger },
    async run(checkpoint) {
      const pace = { ...SWEEP_PACE, ...options.pace }
      await sweepRetention({ pool, siteDays: retentionDays, now: await now(), pace, metrics, checkpoint })
    },
    onEnd(outcome, tookMs) {
      metrics.sweeps.inc({ outcome })
      metrics.sweepSeconds.observe(tookMs / 1_000)
      if (outcome === 'done') metrics.lastSweep.setToCurrentTime()
    },
  })
}
