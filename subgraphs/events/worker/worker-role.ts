import type { Site, Stores } from '../../shared/site.ts'
import { startRetentionWorker } from './retention-worker.ts'

/** Starts the background jobs, until the process ends. */
export function startWorkerRole(site: Site, { pool }: Pick<Stores, 'pool'>): void {
  const { config, logger, metrics, lifecycle, instance: owner } = site
  const { retentionDays } = config
  lifecycle.own('retention worker', startRetentionWorker({ pool, owner, retentionDays, logger, metrics }))
}
