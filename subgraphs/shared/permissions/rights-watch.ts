import type { LiveReader } from '../live-topic/live-topics.ts'
import { type SiteChange, type SiteWatch, startSiteWatch } from '../live-topic/site-watch.ts'
import type { Logger } from '../logger.ts'
import type { CachedSpaceAccess } from './space-access.ts'

/** What has changed; `unknown` when revocations may have been missed: any right may be another. */
export type RightsChange = SiteChange<'revocation'>

/** Tells of rights that change anywhere in the site, when `access` has already forgotten the roles that they touch. */
export type RightsWatch = SiteWatch<'revocation'>

/**
 * Starts to follow the site's revocations, as startSiteWatch does. When it cannot know what it has missed, all of
 * `access` is flushed.
 */
export function startRightsWatch({
  liveReader,
  access,
  logger,
}: {
  liveReader: Pick<LiveReader, 'subscribe'>
  access: Pick<CachedSpaceAccess, 'flush'>
  logger: Logger
}): RightsWatch {
  const watch = startSiteWatch({ kind: 'revocation', name: 'rights_watch', liveReader, logger })
  // The first listener, and so the first to be told.
  watch.onChange(change => flushRoles(access, change))
  return watch
}

/** Makes `access` forget the roles that a change touches. Sessions and credentials are no roles. */
export function flushRoles(access: Pick<CachedSpaceAccess, 'flush'>, change: RightsChange): void {
  if (change.kind === 'unknown') access.flush()
  else if (change.kind === 'membership-changed') access.flush(change.userId, change.spaceId)
  else if (change.kind === 'space-changed') access.flush(undefined, change.spaceId)
}
