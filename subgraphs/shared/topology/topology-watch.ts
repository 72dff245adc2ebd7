import type { LiveReader } from '../live-topic/live-topics.ts'
import { type SiteChange, type SiteWatch, startSiteWatch } from '../live-topic/site-watch.ts'
import type { Logger } from '../logger.ts'

/** What has changed; `unknown` when changes may have been missed: any space, line, process or device may be another. */
export type TopologyChange = SiteChange<'topology'>

/** Tells of spaces, lines, processes and devices that change anywhere in the site. */
export type TopologyWatch = SiteWatch<'topology'>

/** Starts to follow the changes of the site's topology, as startSiteWatch does. */
export function startTopologyWatch(options: {
  liveReader: Pick<LiveReader, 'subscribe'>
  logger: Logger
}): TopologyWatch {
  return startSiteWatch({ kind: 'topology', name: 'topology_watch', ...options })
}
