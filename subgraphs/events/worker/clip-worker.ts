import type { Pool } from 'mysql2/promise'
import type { Closable } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Metrics } from '../../shared/metrics.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { FileStorage } from '../../shared/storage/file-storage.ts'
import type { ObjectStorage } from '../../shared/storage/object-storage.ts'
import { createClipJobMetrics } from './clip-job-metrics.ts'
import { createClipPosters } from './clip-posters.ts'
import { sweepClipOrphans, sweepClips } from './clip-sweep.ts'
import { readDatabaseClock } from './database-clock.ts'
import { startLeasedJob } from './leased-job.ts'

/** What the worker needs. */
export interface ClipWorkerOptions {
  readonly pool: Pool
  readonly db: Db
  readonly storage: ObjectStorage
  /** The same, where it is files. */
  readonly files: FileStorage | null
  /** Names this process in the leases: 1 to 64 characters, the same when it is started anew. */
  readonly owner: string
  /** Days that the site keeps what a space says nothing about. */
  readonly retentionDays: number
  /** Path of ffmpeg; null takes no posters. */
  readonly ffmpeg: string | null
  readonly logger: Logger
  readonly metrics: Metrics
  /** Tells the time, in epoch milliseconds. Default: the database's clock, which all workers share. */
  readonly now?: () => Promise<number>
  /** From one look for videos without a poster to the next. Default 5 s. */
  readonly posterPollMs?: number
}

/** Starts the jobs of clips: sweeps every 10 minutes, a look at all objects every day, and posters. */
export function startClipWorker(options: ClipWorkerOptions): Closable {
  const { pool, db, storage, files, owner, retentionDays, ffmpeg, logger, posterPollMs = 5_000 } = options
  const { now = () => readDatabaseClock(pool) } = options
  const metrics = createClipJobMetrics(options.metrics)

  function start(
    job: string,
    intervalMs: number,
    pollMs: number,
    run: (checkpoint: () => Promise<void>) => Promise<void>,
  ): Closable {
    const onEnd = (outcome: string) => metrics.runs.inc({ job, outcome })
    return startLeasedJob({ pool, job, owner, intervalMs, pollMs, logger, run, onEnd })
  }

  const sweepWith = async (checkpoint: () => Promise<void>) => ({
    ...{ db, storage, files, metrics, checkpoint, siteDays: retentionDays, now: await now() },
  })
  const jobs = [
    start('clip_sweep', 10 * 60_000, 60_000, async checkpoint => sweepClips(await sweepWith(checkpoint))),
    start('clip_orphans', 86_400_000, 10 * 60_000, async checkpoint =>
      sweepClipOrphans(await sweepWith(checkpoint)),
    ),
  ]
  if (ffmpeg !== null) {
    const posters = createClipPosters({ db, storage, ffmpeg, metrics })
    jobs.push(
      start('clip_posters', 0, posterPollMs, async checkpoint => posters.take(await now(), checkpoint)),
    )
  }
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(jobs.map(job => job[Symbol.asyncDispose]()))
    },
  }
}
