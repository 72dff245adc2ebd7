import type { Redis } from 'ioredis'
import { startLiveReader } from './live-topic/live-reader.ts'
import type { LiveReader } from './live-topic/live-topics.ts'
import type { Site, Stores } from './site.ts'
import { startTopologyWatch, type TopologyWatch } from './topology/topology-watch.ts'

/** What a process hears of the others: one reader of live topics, and the changes of the topology. */
export interface SiteNews {
  readonly liveReader: LiveReader
  readonly topologyWatch: TopologyWatch
}

/** Starts to listen, until the process ends. `live` is a connection that the reader shares for short commands. */
export function startSiteNews(
  { lifecycle, logger }: Pick<Site, 'lifecycle' | 'logger'>,
  { redisUrl }: Pick<Stores, 'redisUrl'>,
  live: Redis,
): SiteNews {
  const liveReader = lifecycle.own('live reader', startLiveReader({ url: redisUrl, redis: live, logger }))
  const topologyWatch = lifecycle.own('topology watch', startTopologyWatch({ liveReader, logger }))
  return { liveReader, topologyWatch }
}
