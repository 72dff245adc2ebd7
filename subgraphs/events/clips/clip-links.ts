import { createBoundedCache } from '../../shared/bounded-cache.ts'
import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { ObjectStorage } from '../../shared/storage/object-storage.ts'
import { keysOfClip } from './clip-keys.ts'

/** A link, and when it stops working. */
export interface ClipLink {
  readonly url: string
  readonly expiresAt: Date
}

/** Links to what may be read of clips. The caller has been authorised for the clip. */
export interface ClipLinks {
  /** Null while the clip is PENDING. */
  toMedia(clip: ClipRecord): ClipLink | null
  /** Null without a poster. Of an image it is the image itself. */
  toPoster(clip: ClipRecord): ClipLink | null
}

const POSTER_TYPE = 'image/jpeg'

/**
 * Creates the links of a process. An object is signed once and its link given out again, so that browsers find what they
 * have loaded, until it has less than `renewBeforeMs` (default 1 min) of its `lifeMs` (default 5 min) left. The links that
 * were used last are kept, `maxLinks` of them (default 20,000).
 */
export function createClipLinks({
  storage,
  lifeMs = 5 * 60_000,
  renewBeforeMs = 60_000,
  maxLinks = 20_000,
  now = Date.now,
}: {
  storage: Pick<ObjectStorage, 'presignGet'>
  lifeMs?: number
  renewBeforeMs?: number
  maxLinks?: number
  now?: () => number
}): ClipLinks {
  const links = createBoundedCache<string, ClipLink>(maxLinks)

  function linkTo(key: string, contentType: string): ClipLink {
    const at = now()
    const known = links.get(key)
    if (known !== undefined && known.expiresAt.getTime() - at > renewBeforeMs) return known
    const url = storage.presignGet({ key, contentType, expiresInMs: lifeMs })
    const link = { url, expiresAt: new Date(at + lifeMs) }
    links.set(key, link)
    return link
  }

  return {
    toMedia: clip => (clip.status === 'READY' ? linkTo(keysOfClip(clip).media, clip.contentType) : null),
    toPoster(clip) {
      if (clip.status !== 'READY') return null
      if (clip.hasPoster) return linkTo(keysOfClip(clip).poster, POSTER_TYPE)
      return clip.contentType.startsWith('image/') ? linkTo(keysOfClip(clip).media, clip.contentType) : null
    },
  }
}
