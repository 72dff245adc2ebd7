import type { DeviceDirectory } from '../../shared/device-directory.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import type { OutboxListener } from '../../shared/outbox-listener.ts'
import { openRedisOf, type Site, type Stores } from '../../shared/site.ts'
import { createFeedListener } from './feed-listener.ts'
import { createFeedSets } from './feed-sets.ts'
import { createWatcherIndex } from './watcher-index.ts'

/** Opens the listener of ingest that keeps feeds, on a connection of its own that ends with the process. */
export async function openFeedListener(
  site: Pick<Site, 'lifecycle' | 'logger'>,
  { db, redisUrl }: Pick<Stores, 'db' | 'redisUrl'>,
  { devices }: { readonly devices: DeviceDirectory },
): Promise<OutboxListener> {
  const live = await openRedisOf(site, redisUrl, 'feed')
  const sets = createFeedSets({ redis: live })
  const watchers = createWatcherIndex({ db, sets })
  return createFeedListener({ sets, watchers, publisher: createLivePublisher({ redis: live }), devices })
}
