import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, RowDataPacket } from 'mysql2/promise'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Metrics } from '../../shared/metrics.ts'
import { createJobLease } from './job-lease.ts'
import { SWEEP_PACE, type SweepPace, sweepRetention } from './retention-sweep.ts'
import { createWorkerMetrics } from './worker-metrics.ts'

/** How long the job stays a worker's that says nothing more. */
const LEASE_SECONDS = 60

/** How long after a failure a process may be told that it is to stop. */
const STOP_GRACE_MS = 2_000

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

class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/**
 * Starts to keep the tables to the retention (retention-sweep.ts): at once, and then every `intervalMs` on the whole site,
 * however many workers it has. One that dies is followed by another within a minute of its lease. Returns at once, and
 * does not need the database to be up.
 */
export function startRetentionWorker(options: RetentionWorkerOptions): Closable {
  const { pool, owner, retentionDays, logger, intervalMs = 60 * 60_000, pollMs = 60_000 } = options
  const { now = () => readDatabaseClock(pool) } = options
  const metrics = createWorkerMetrics(options.metrics)
  const lease = createJobLease({ pool, job: 'retention', owner, leaseSeconds: LEASE_SECONDS })
  const closing = new AbortController()

  async function sweep(): Promise<void> {
    let renewedAt = performance.now()
    await sweepRetention({
      pool,
      siteDays: retentionDays,
      now: await now(),
      pace: { ...SWEEP_PACE, ...options.pace },
      metrics,
      async checkpoint() {
        closing.signal.throwIfAborted()
        if (performance.now() - renewedAt < (LEASE_SECONDS / 4) * 1_000) return
        if (!(await lease.renew())) throw new LeaseLostError('Another worker has taken the job over')
        renewedAt = performance.now()
      },
    })
  }

  /** Does the job if nobody else does, and it is due. */
  async function work(dueAfterMs: number): Promise<void> {
    if (!(await lease.acquire(dueAfterMs))) return
    const stopTimer = metrics.sweepSeconds.startTimer()
    let outcome: 'done' | 'failed' | 'lost' = 'done'
    try {
      await sweep()
      metrics.lastSweep.setToCurrentTime()
    } catch (error) {
      outcome = error instanceof LeaseLostError ? 'lost' : 'failed'
      await warn(error, 'retention.sweep_failed')
    }
    stopTimer()
    if (!closing.signal.aborted) metrics.sweeps.inc({ outcome })
    await lease.release(outcome === 'done')
  }

  /** Where everything is told to stop at once, the database may be gone before this process hears of it: no news then. */
  async function warn(error: unknown, event: string): Promise<void> {
    await sleep(STOP_GRACE_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    if (!closing.signal.aborted) logger.warn({ err: error }, event)
  }

  async function run(): Promise<void> {
    for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
      await work(isFirst ? 0 : intervalMs).catch(error => warn(error, 'retention.no_lease'))
      await sleep(pollMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}

async function readDatabaseClock(pool: Pool): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>('SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS now')
  return Math.floor(Number(rows[0]?.now))
}
