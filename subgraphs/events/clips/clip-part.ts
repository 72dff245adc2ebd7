import type { ClipDesk } from '../../shared/clip-desk.ts'
import type { Site, Stores } from '../../shared/site.ts'
import type { SiteStorage } from '../../shared/storage/site-storage.ts'
import { createClipDesk } from './clip-desk.ts'

/** Creates the desk of a process that takes clips of devices. */
export function startClipDesk(
  { config }: Pick<Site, 'config'>,
  { db }: Pick<Stores, 'db'>,
  { storage }: Pick<SiteStorage, 'storage'>,
): ClipDesk {
  return createClipDesk({
    db,
    storage,
    limits: { maxBytes: config.maxClipBytes, retentionMs: config.retentionDays * 86_400_000 },
  })
}
