import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { MediaPort } from '../shared/media-port.ts'
import { openRedisOf, type Site, type Stores } from '../shared/site.ts'
import type { SiteNews } from '../shared/site-news.ts'
import type { SiteRights } from '../shared/site-rights.ts'
import { type Streaming, startStreaming } from './start-streaming.ts'

/** What the streaming subgraph needs of others. */
export interface StreamingPorts {
  readonly devices: DeviceDirectory
  readonly media: MediaPort
}

/** Starts the streaming subgraph, until the process ends. */
export async function startStreamingRole(
  site: Site,
  { db, redisUrl }: Pick<Stores, 'db' | 'redisUrl'>,
  { liveReader }: Pick<SiteNews, 'liveReader'>,
  { access, watch }: SiteRights,
  { devices, media }: StreamingPorts,
): Promise<Streaming> {
  const { lifecycle, logger, instance: owner } = site
  const live = await openRedisOf(site, redisUrl, 'streaming')
  return lifecycle.own(
    'streaming',
    startStreaming({ db, live, liveReader, access, watch, devices, media, owner, logger }),
  )
}
