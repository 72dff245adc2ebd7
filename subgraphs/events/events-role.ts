import type { Redis } from 'ioredis'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import type { Site, Stores } from '../shared/site.ts'
import type { SiteNews } from '../shared/site-news.ts'
import type { SiteRights } from '../shared/site-rights.ts'
import type { ClipResources } from './clips/clip-context.ts'
import { createEventsSubgraph } from './events-subgraph.ts'

/** What the events subgraph needs of others. */
export interface EventsPorts {
  readonly devices: DeviceDirectory
  readonly livePublisher: LivePublisher
  readonly clips: ClipResources
  /** Where feeds are kept. */
  readonly live: Redis
}

/** Creates the events subgraph of a process. */
export function createEventsRole(
  { config, logger }: Pick<Site, 'config' | 'logger'>,
  { db }: Pick<Stores, 'db'>,
  { liveReader }: Pick<SiteNews, 'liveReader'>,
  { access }: Pick<SiteRights, 'access'>,
  ports: EventsPorts,
): Subgraph {
  const { allowsPrivateWebhooks } = config
  return createEventsSubgraph({ db, liveReader, access, allowsPrivateWebhooks, logger, ...ports })
}
