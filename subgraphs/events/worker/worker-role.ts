import type { Site, Stores } from '../../shared/site.ts'
import { startAlertsPart } from '../alerts/alert-part.ts'
import { startRetentionWorker } from './retention-worker.ts'

/** Starts the background jobs, until the process ends. */
export async function startWorkerRole(
  site: Site,
  stores: Pick<Stores, 'db' | 'pool' | 'redisIngestUrl'>,
): Promise<void> {
  const { pool } = stores
  const { config, logger, metrics, lifecycle, instance: owner } = site
  const { retentionDays } = config
  lifecycle.own('retention worker', startRetentionWorker({ pool, owner, retentionDays, logger, metrics }))
  await startAlertsPart(site, stores)
}
