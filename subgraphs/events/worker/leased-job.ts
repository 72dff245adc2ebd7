import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'mysql2/promise'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import { createJobLease } from './job-lease.ts'

/** How long the job stays a worker's that says nothing more. */
const LEASE_SECONDS = 60

/** How long after a failure a process may be told that it is to stop. */
const STOP_GRACE_MS = 2_000

/** How a run of a job has ended: `lost` when another worker has taken it over. */
export type JobOutcome = 'done' | 'failed' | 'lost'

/** What a job needs. */
export interface LeasedJobOptions {
  readonly pool: Pool
  /** Name of the job: in the lease, and in the events `<job>.failed` and `<job>.no_lease` of the log. */
  readonly job: string
  /** Names this process in the lease: 1 to 64 characters, the same when it is started anew. */
  readonly owner: string
  /** From the end of a run on the whole site to the next. */
  readonly intervalMs: number
  /** Between looks whether there is something to do. */
  readonly pollMs: number
  readonly logger: Logger
  /** Does the job. `checkpoint` is to be awaited between its steps, each shorter than half a minute; it rejects to end it. */
  run(checkpoint: () => Promise<void>): Promise<void>
  /** Is told of each run of this process but one that was told to stop. */
  readonly onEnd?: (outcome: JobOutcome, tookMs: number) => void
}

class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/**
 * Starts to do a job: at once, and then every `intervalMs` on the whole site, however many workers it has. One that dies is
 * followed by another within a minute of its lease. Returns at once, and does not need the database to be up.
 */
export function startLeasedJob(options: LeasedJobOptions): Closable {
  const { pool, job, owner, intervalMs, pollMs, logger, run, onEnd } = options
  const lease = createJobLease({ pool, job, owner, leaseSeconds: LEASE_SECONDS })
  const closing = new AbortController()

  function createCheckpoint(): () => Promise<void> {
    let renewedAt = performance.now()
    return async () => {
      closing.signal.throwIfAborted()
      if (performance.now() - renewedAt < (LEASE_SECONDS / 4) * 1_000) return
      if (!(await lease.renew())) throw new LeaseLostError('Another worker has taken the job over')
      renewedAt = performance.now()
    }
  }

  /** Does the job if nobody else does, and it is due. */
  async function work(dueAfterMs: number): Promise<void> {
    if (!(await lease.acquire(dueAfterMs))) return
    const startedAt = performance.now()
    let outcome: JobOutcome = 'done'
    try {
      await run(createCheckpoint())
    } catch (error) {
      outcome = error instanceof LeaseLostError ? 'lost' : 'failed'
      await warn(error, `${job}.failed`)
    }
    if (!closing.signal.aborted) onEnd?.(outcome, performance.now() - startedAt)
    await lease.release(outcome === 'done')
  }

  /** Where everything is told to stop at once, the database may be gone before this process hears of it: no news then. */
  async function warn(error: unknown, event: string): Promise<void> {
    await sleep(STOP_GRACE_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    if (!closing.signal.aborted) logger.warn({ err: error }, event)
  }

  async function repeat(): Promise<void> {
    for (let isFirst = true; !closing.signal.aborted; isFirst = false) {
      await work(isFirst ? 0 : intervalMs).catch(error => warn(error, `${job}.no_lease`))
      await sleep(pollMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const running = repeat()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}
