import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { parseRedisUrl } from '../../shared/redis/redis-address.ts'
import { idLowerBound } from '../../shared/uuid-v7.ts'
import { type AlertDesk, RetryLaterError } from './alert-desk.ts'
import { ALERT_QUEUE, type AlertJob, WEBHOOK_QUEUE } from './alert-job.ts'
import type { AlertMetrics } from './alert-metrics.ts'
import type { AlertQueue } from './alert-queue.ts'
import { deleteAlertsBelow, listOverdue, listStuckDeliveries } from './alert-repository.ts'

/** A worker that says nothing for so long is taken for dead, and its jobs are done by another. */
const LOCK_MS = 10_000
const STALLED_INTERVAL_MS = 5_000

/** How long a job may take. */
const JOB_DEADLINE_MS = 60_000

/** Between attempts: from the first to the longest. */
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 2 * 60 * 60_000
/** What is not a webhook's fault heals sooner. */
const LAST_SITE_RETRY_MS = 15_000

/** Between looks for what a crash or a race has left lying. */
const SWEEP_INTERVAL_MS = 15_000
/** What is due for so long is left lying. */
const OVERDUE_MS = 15_000
const STUCK_MS = 10 * 60_000
const MAX_SWEPT = 500
const MAX_DELETED = 1_000

/** The history of alerts reaches back so far. */
const KEEP_MS = 90 * 24 * 60 * 60_000

const CLOSE_DEADLINE_MS = 5_000

export interface AlertWorkerOptions {
  /** The ingest Redis, where the queue is. */
  redisUrl: string
  db: Db
  desk: AlertDesk
  queue: Pick<AlertQueue, 'add'>
  metrics: AlertMetrics
  logger: Logger
  /** Jobs at once, of which those of one space are written together. Default 32. */
  concurrency?: number
  /** Messages to webhooks at once. Default 16. */
  webhookConcurrency?: number
  /** Between looks for what a crash has left lying. Default 15 s. */
  sweepIntervalMs?: number
}

/**
 * Starts to do the jobs of alerts, as many processes as there are. Returns at once and does not need its servers to be
 * up. Dispose lets the jobs in work end under a deadline; another process does what is left.
 */
export function startAlertWorker(options: AlertWorkerOptions): Closable {
  const { redisUrl, db, desk, queue, metrics, logger, concurrency = 32, webhookConcurrency = 16 } = options
  const { sweepIntervalMs = SWEEP_INTERVAL_MS } = options
  const redis = new Redis({
    ...parseRedisUrl(redisUrl),
    connectionName: 'alerts',
    // As BullMQ wants it of a connection that waits.
    maxRetriesPerRequest: null,
    retryStrategy: attempt => Math.min(attempt * 50, 1_000),
  })
  let isAway = false
  const onError = (error: Error) => {
    if (!isAway) logger.warn({ err: error }, 'alerts.redis_failed')
    isAway = true
  }
  redis.on('error', onError)
  redis.on('ready', () => {
    isAway = false
  })
  const startWorker = (name: string, atOnce: number) => {
    const worker = new Worker<AlertJob>(name, work, {
      connection: redis,
      prefix: redisKeys.jobPrefix(),
      concurrency: atOnce,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: { backoffStrategy },
    })
    worker.on('error', onError)
    return worker
  }
  const workers = [startWorker(ALERT_QUEUE, concurrency), startWorker(WEBHOOK_QUEUE, webhookConcurrency)]
  const closing = new AbortController()

  async function work({ data, timestamp, delay }: Job<AlertJob>): Promise<void> {
    let outcome: 'done' | 'failed' = 'failed'
    try {
      await withDeadline(`A job of alerts (${data.kind})`, JOB_DEADLINE_MS, () => desk.handle(data))
      outcome = 'done'
    } catch (error) {
      if (!(error instanceof RetryLaterError))
        logger.warn({ err: error, kind: data.kind }, 'alerts.job_failed')
      throw error
    } finally {
      metrics.jobs.inc({ kind: data.kind, outcome })
      metrics.delaySeconds.observe(Math.max(0, Date.now() - timestamp - delay) / 1000)
    }
  }

  let sweptTo = ''

  /** Does what no job will do any more, and forgets what is old. What fails holds up nothing else. */
  async function sweep(): Promise<void> {
    const now = Date.now()
    for (const { dueAt, ...held } of await listOverdue(db, new Date(now - OVERDUE_MS), MAX_SWEPT)) {
      closing.signal.throwIfAborted()
      const job: AlertJob = { kind: 'digest', ...held, dueAt: dueAt?.getTime() ?? now }
      await desk
        .handle(job)
        .catch(error => logger.warn({ err: error, kind: job.kind, ...held }, 'alerts.job_failed'))
    }
    // Most of them wait for their next attempt; so each look goes on where the last has ended.
    const before = new Date(now - STUCK_MS)
    const stuck = await listStuckDeliveries(db, { after: sweptTo, before }, MAX_SWEPT)
    sweptTo = (stuck.length === MAX_SWEPT ? stuck.at(-1)?.deliveryId : null) ?? ''
    await queue.add(
      stuck.flatMap(({ deliveryId, ...to }): AlertJob[] =>
        deliveryId === null ? [] : [{ kind: 'webhook', ...to, deliveryId }],
      ),
    )
    while ((await deleteAlertsBelow(db, idLowerBound(now - KEEP_MS), MAX_DELETED)) === MAX_DELETED)
      closing.signal.throwIfAborted()
  }

  async function keepSweeping(): Promise<void> {
    let isFailing = false
    while (!closing.signal.aborted) {
      await sleep(sweepIntervalMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        await sweep()
        isFailing = false
      } catch (error) {
        if (!isFailing && !closing.signal.aborted) logger.warn({ err: error }, 'alerts.sweep_failed')
        isFailing = true
      }
    }
  }

  const sweeping = keepSweeping()

  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await withDeadline('Jobs of alerts', CLOSE_DEADLINE_MS, () =>
        Promise.all(workers.map(worker => worker.close())),
      ).catch(error => logger.warn({ err: error }, 'alerts.jobs_left'))
      redis.disconnect()
      await sweeping
    },
  }
}

/** Doubles the wait at each attempt; a receiver that has named a time is not asked before. */
function backoffStrategy(attemptsMade: number, _type?: string, error?: Error): number {
  const longest = error instanceof RetryLaterError ? LAST_RETRY_MS : LAST_SITE_RETRY_MS
  const first = error instanceof RetryLaterError ? 4 * FIRST_RETRY_MS : FIRST_RETRY_MS
  const waitMs = Math.min(first * 2 ** Math.min(attemptsMade - 1, 20), longest)
  const asked = error instanceof RetryLaterError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(asked, waitMs * (0.8 + 0.4 * Math.random()))
}
