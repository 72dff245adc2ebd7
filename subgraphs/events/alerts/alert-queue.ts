import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { PresenceEvent } from '../../../schema/live-event.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { CommittedEvents, OutboxListener } from '../../shared/outbox-listener.ts'
import { ALERT_QUEUE, type AlertJob, dueTimeOf, idOfJob, queueOf, WEBHOOK_QUEUE } from './alert-job.ts'

const ADD_DEADLINE_MS = 5_000

/** Jobs of a pipeline. */
const MAX_JOBS_AT_ONCE = 500

/** How long a count of what waits is good. */
const COUNT_INTERVAL_MS = 2_000

/** A done job is known for an hour, so that it is not done again; the table of alerts knows for good. */
const DONE_SECONDS = 60 * 60

/** Where jobs of alerts are put. */
export interface AlertQueue extends Closable {
  /** Adds jobs, each once however often it is added. Rejects when Redis does not take them all; add them again then. */
  add(jobs: readonly AlertJob[]): Promise<void>
}

export interface AlertQueueOptions {
  /** A connection to the ingest Redis, which stays the caller's. */
  redis: Redis
  logger: Logger
  /**
   * Jobs that may wait for a worker, roughly: what comes then is told to nobody, and logged. Default: any number, for who
   * adds what follows from jobs that were taken.
   */
  maxWaiting?: number
}

/** Opens the queue. */
export function openAlertQueue({
  redis,
  logger,
  maxWaiting = Number.POSITIVE_INFINITY,
}: AlertQueueOptions): AlertQueue {
  const open = (name: string) => {
    const queue = new Queue<AlertJob>(name, {
      connection: redis,
      prefix: redisKeys.jobPrefix(),
      skipMetasUpdate: true,
      defaultJobOptions: {
        attempts: Number.MAX_SAFE_INTEGER,
        backoff: { type: 'custom' },
        removeOnComplete: { age: DONE_SECONDS, count: 50_000 },
        removeOnFail: { age: 7 * 24 * 60 * 60, count: 10_000 },
      },
    })
    queue.on('error', error => logger.warn({ err: error }, 'alerts.queue_failed'))
    return queue
  }
  const queues = { [ALERT_QUEUE]: open(ALERT_QUEUE), [WEBHOOK_QUEUE]: open(WEBHOOK_QUEUE) }
  let waiting = 0
  let countedAt = Number.NEGATIVE_INFINITY

  async function hasRoom(): Promise<boolean> {
    if (!Number.isFinite(maxWaiting)) return true
    if (performance.now() - countedAt >= COUNT_INTERVAL_MS) {
      waiting = await queues[ALERT_QUEUE].getWaitingCount()
      countedAt = performance.now()
    }
    return waiting < maxWaiting
  }

  async function addAll(jobs: readonly AlertJob[]): Promise<void> {
    if (!(await hasRoom())) {
      logger.error({ jobs: jobs.length, waiting }, 'alerts.dropped')
      return
    }
    for (const [name, ofQueue] of Map.groupBy(jobs, queueOf))
      for (let from = 0; from < ofQueue.length; from += MAX_JOBS_AT_ONCE)
        await queues[name].addBulk(ofQueue.slice(from, from + MAX_JOBS_AT_ONCE).map(toBulkJob))
    waiting += jobs.length
  }

  return {
    async add(jobs) {
      if (jobs.length > 0) await withDeadline('The queue of alerts', ADD_DEADLINE_MS, () => addAll(jobs))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(queues).map(queue => queue.close()))
    },
  }
}

function toBulkJob(job: AlertJob) {
  const dueAt = dueTimeOf(job)
  const delay = dueAt === undefined ? 0 : Math.max(0, dueAt - Date.now())
  return { name: job.kind, data: job, opts: { jobId: idOfJob(job), delay } }
}

/**
 * Creates the listener that asks for an alert of each anomaly that is raised or becomes graver, and of each device that
 * goes offline. Whom it concerns is found out by the worker.
 */
export function createAlertListener(queue: Pick<AlertQueue, 'add'>): OutboxListener {
  return {
    name: 'alerts',
    async deliver(events, { isRepeat }) {
      await queue.add(toJobs(events, isRepeat))
    },
  }
}

function toJobs({ anomalies, presence }: CommittedEvents, isRepeat: boolean): AlertJob[] {
  const ofAnomalies = anomalies
    // Told again, that one has become graver is known as a repetition of it.
    .filter(
      ({ change }) => change === 'RAISED' || change === 'ESCALATED' || (isRepeat && change === 'REPEATED'),
    )
    .map(({ anomaly: { id, spaceId, deviceId, type, severity, message } }): AlertJob => {
      return { kind: 'anomaly', anomaly: { id, spaceId, deviceId, type, severity, message } }
    })
  return [...ofAnomalies, ...presence.filter(({ online }) => !online).map(toOfflineJob)]
}

function toOfflineJob({ id, spaceId, deviceId, at }: PresenceEvent): AlertJob {
  return { kind: 'offline', eventId: id, spaceId, deviceId, at }
}
