import type { DeviceDirectory } from '../shared/device-directory.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import type { Stores } from '../shared/site.ts'
import type { SiteNews } from '../shared/site-news.ts'
import type { SiteRights } from '../shared/site-rights.ts'
import { createEventsSubgraph } from './events-subgraph.ts'

/** What the events subgraph needs of others. */
export interface EventsPorts {
  readonly devices: DeviceDirectory
}

/** Creates the events subgraph of a process. */
export function createEventsRole(
  { db }: Pick<Stores, 'db'>,
  { liveReader }: Pick<SiteNews, 'liveReader'>,
  { access }: Pick<SiteRights, 'access'>,
  { devices }: EventsPorts,
): Subgraph {
  return createEventsSubgraph({ db, liveReader, access, devices })
}
