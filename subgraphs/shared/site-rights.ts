import { type RightsWatch, startRightsWatch } from './permissions/rights-watch.ts'
import { type CachedSpaceAccess, createSpaceAccess } from './permissions/space-access.ts'
import type { Site, Stores } from './site.ts'
import type { SiteNews } from './site-news.ts'

/** Roles of people, and what changes them, as a process knows them: one lookup, one watch. */
export interface SiteRights {
  readonly access: CachedSpaceAccess
  readonly watch: RightsWatch
}

/** Starts to follow the changes of rights, until the process ends. */
export function startSiteRights(
  { lifecycle, logger }: Pick<Site, 'lifecycle' | 'logger'>,
  { db }: Pick<Stores, 'db'>,
  { liveReader }: Pick<SiteNews, 'liveReader'>,
): SiteRights {
  const access = createSpaceAccess({ db })
  const watch = lifecycle.own('rights watch', startRightsWatch({ liveReader, access, logger }))
  return { access, watch }
}
