import type { ClipDesk } from '../../shared/clip-desk.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import { openRedisOf, type Site, type Stores } from '../../shared/site.ts'
import type { SiteStorage } from '../../shared/storage/site-storage.ts'
import type { ClipResources } from './clip-context.ts'
import { createClipDesk } from './clip-desk.ts'
import { createClipLinks } from './clip-links.ts'
import { createClipNews } from './clip-news.ts'

/** Starts the desk of a process that takes clips of devices. */
export async function startClipDesk(
  site: Pick<Site, 'config' | 'lifecycle' | 'logger'>,
  { db, redisUrl }: Pick<Stores, 'db' | 'redisUrl'>,
  { storage }: Pick<SiteStorage, 'storage'>,
): Promise<ClipDesk> {
  const { config, logger } = site
  const publisher = createLivePublisher({ redis: await openRedisOf(site, redisUrl, 'clips') })
  const news = createClipNews({ db, publisher, logger })
  return createClipDesk({
    db,
    storage,
    limits: { maxBytes: config.maxClipBytes, retentionMs: config.retentionDays * 86_400_000 },
    onReady: news.publish,
  })
}

/** Starts what the events subgraph of a process does about clips. */
export async function startClipResources(
  site: Pick<Site, 'config' | 'lifecycle' | 'logger'>,
  stores: Pick<Stores, 'db' | 'redisUrl'>,
  storage: Pick<SiteStorage, 'storage'>,
): Promise<ClipResources> {
  return { desk: await startClipDesk(site, stores, storage), links: createClipLinks(storage) }
}
