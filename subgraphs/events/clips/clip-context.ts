import type DataLoader from 'dataloader'
import type { ClipDesk, ClipRecord } from '../../shared/clip-desk.ts'
import { AppError } from '../../shared/errors.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { ClipLinks } from './clip-links.ts'
import type { AnomalyClipsRequest } from './clip-list-repository.ts'
import { createClipLoader } from './clip-loaders.ts'

/** What a process has at hand for clips. */
export interface ClipResources {
  readonly desk: ClipDesk
  readonly links: ClipLinks
}

/** What resolvers get for clips: batches of this one request. */
export interface ClipContext extends ClipResources {
  readonly ofAnomaly: DataLoader<AnomalyClipsRequest, ClipRecord[], string>
}

/**
 * Creates what resolvers of one request get. The loader is made when it is first asked for. Without resources the desk and the
 * links throw UNAVAILABLE.
 */
export function createClipContext(db: Db, resources: ClipResources | undefined): ClipContext {
  let ofAnomaly: ClipContext['ofAnomaly'] | undefined
  function requireResources(): ClipResources {
    if (resources === undefined) throw new AppError('UNAVAILABLE', 'Clips are not kept here.')
    return resources
  }
  return {
    get desk() {
      return requireResources().desk
    },
    get links() {
      return requireResources().links
    },
    get ofAnomaly() {
      ofAnomaly ??= createClipLoader(db)
      return ofAnomaly
    },
  }
}
