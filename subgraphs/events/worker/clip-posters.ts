import { createBoundedCache } from '../../shared/bounded-cache.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { ObjectStorage } from '../../shared/storage/object-storage.ts'
import { idLowerBound } from '../../shared/uuid-v7.ts'
import { keysOfClip } from '../clips/clip-keys.ts'
import { listVideosWithoutPoster, setPoster } from '../clips/clip-sweep-repository.ts'
import type { ClipJobMetrics } from './clip-job-metrics.ts'
import { PENDING_LIFE_MS } from './clip-sweep.ts'
import { takePoster } from './poster.ts'

/** What taking posters needs. */
export interface ClipPostersOptions {
  readonly db: Db
  readonly storage: ObjectStorage
  /** Path of the program. */
  readonly ffmpeg: string
  readonly metrics: ClipJobMetrics
}

/** Takes posters of videos, one after the other. */
export interface ClipPosters {
  /** Takes those that are missing; `now` is epoch milliseconds. `checkpoint` is awaited before each, and rejects to end it. */
  take(now: number, checkpoint: () => Promise<void>): Promise<void>
}

const SOURCE_LIFE_MS = 60_000
const MAX_ROWS = 100
/** How far a process that has just started looks back. */
const FIRST_LOOK_MS = 86_400_000
/** A clip is READY within the life of a PENDING one. */
const LOOK_MS = 2 * PENDING_LIFE_MS

/**
 * Creates what takes posters. A video of which there is none to be had is not tried again while the process runs; one that
 * is older than a day when it starts stays without.
 */
export function createClipPosters({ db, storage, ffmpeg, metrics }: ClipPostersOptions): ClipPosters {
  const tried = createBoundedCache<string, true>(10_000)
  let hasLooked = false

  return {
    async take(now, checkpoint) {
      let afterId = idLowerBound(now - (hasLooked ? LOOK_MS : FIRST_LOOK_MS))
      for (;;) {
        const clips = await listVideosWithoutPoster(db, afterId, MAX_ROWS)
        for (const clip of clips) {
          if (tried.get(clip.id) !== undefined) continue
          await checkpoint()
          const { media, poster } = keysOfClip(clip)
          const source = storage.sourceOf(media, SOURCE_LIFE_MS)
          const image = await takePoster({ ffmpeg, source, contentType: clip.contentType })
          tried.set(clip.id, true)
          metrics.posters.inc({ outcome: image === null ? 'failed' : 'taken' })
          if (image === null) continue
          await storage.put(poster, 'image/jpeg', image)
          if (!(await setPoster(db, clip.id))) await storage.delete([poster])
        }
        afterId = clips.at(-1)?.id ?? afterId
        if (clips.length < MAX_ROWS) break
      }
      hasLooked = true
    },
  }
}
