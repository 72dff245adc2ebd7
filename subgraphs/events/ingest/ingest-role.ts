import type { DeviceDirectory } from '../../shared/device-directory.ts'
import { createDeviceMailbox } from '../../shared/device-mailbox.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import type { OutboxListener } from '../../shared/outbox-listener.ts'
import { openRedisOf, type Site, type Stores } from '../../shared/site.ts'
import { type Ingest, startIngest } from './ingest.ts'

/** What ingest needs of others. */
export interface IngestPorts {
  readonly directory: DeviceDirectory
  /** Who is told of what is committed. */
  readonly listeners: readonly OutboxListener[]
}

/** Starts the ingest pipeline, until the process ends. */
export async function startIngestRole(
  site: Site,
  stores: Stores,
  { directory, listeners }: IngestPorts,
): Promise<Ingest> {
  const { config, logger, metrics, lifecycle } = site
  const liveRedis = await openRedisOf(site, stores.redisUrl, 'ingest-live')
  const ingest = startIngest({
    pool: stores.pool,
    ingestRedis: await openRedisOf(site, stores.redisIngestUrl, 'ingest-log'),
    ingestRedisUrl: stores.redisIngestUrl,
    liveRedis,
    livePublisher: createLivePublisher({ redis: liveRedis }),
    directory,
    listeners,
    deviceMailbox: createDeviceMailbox({ redis: liveRedis, logger }),
    owner: site.instance,
    limits: { retentionDays: config.retentionDays },
    logger,
    metrics,
  })
  return lifecycle.own('ingest', ingest)
}
