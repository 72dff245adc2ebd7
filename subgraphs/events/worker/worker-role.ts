import { findServerBinary } from '../../shared/embedded/server-binary.ts'
import type { Site, Stores } from '../../shared/site.ts'
import type { SiteStorage } from '../../shared/storage/site-storage.ts'
import { startAlertsPart } from '../alerts/alert-part.ts'
import { startClipWorker } from './clip-worker.ts'
import { startRetentionWorker } from './retention-worker.ts'

/** Starts the background jobs, until the process ends. */
export async function startWorkerRole(
  site: Site,
  stores: Pick<Stores, 'db' | 'pool' | 'redisIngestUrl'>,
  { storage, files }: Pick<SiteStorage, 'storage' | 'files'>,
): Promise<void> {
  const { pool, db } = stores
  const { config, logger, metrics, lifecycle, instance: owner } = site
  const { retentionDays } = config
  lifecycle.own('retention worker', startRetentionWorker({ pool, owner, retentionDays, logger, metrics }))
  const ffmpeg = findServerBinary(['ffmpeg']) ?? null
  lifecycle.own(
    'clip worker',
    startClipWorker({ pool, db, storage, files, owner, retentionDays, ffmpeg, logger, metrics }),
  )
  await startAlertsPart(site, stores)
}
