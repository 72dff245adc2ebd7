import type { ClipRecord } from '../../shared/clip-desk.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { FileStorage } from '../../shared/storage/file-storage.ts'
import type { ObjectStorage } from '../../shared/storage/object-storage.ts'
import { CLIP_PREFIXES, keysOfClip } from '../clips/clip-keys.ts'
import { deletePendingClip } from '../clips/clip-repository.ts'
import {
  deleteClips,
  findClipIds,
  listClipsBefore,
  listPendingClipsBefore,
  listSpacesWithClips,
} from '../clips/clip-sweep-repository.ts'
import type { ClipJobMetrics } from './clip-job-metrics.ts'

/** How long a clip may wait for its upload: longer than its link holds, and the longest upload takes. */
export const PENDING_LIFE_MS = 60 * 60_000

/** How old an object is before it can be nobody's: longer than one waits for its row. */
const ORPHAN_AGE_MS = 3 * PENDING_LIFE_MS
const DAY_MS = 86_400_000
const MAX_ROWS = 100
const MAX_OBJECTS = 500

/** What a sweep needs. */
export interface ClipSweepOptions {
  readonly db: Db
  readonly storage: ObjectStorage
  /** The same, where it is files. */
  readonly files: FileStorage | null
  /** Days that the site keeps what a space says nothing about. */
  readonly siteDays: number
  /** The moment that it is, epoch milliseconds. */
  readonly now: number
  readonly metrics: ClipJobMetrics
  /** Called between statements; rejects to end the sweep. */
  readonly checkpoint: () => Promise<void>
}

/**
 * Deletes clips that were requested an hour ago and not completed, and those that are older than their space keeps them, or
 * whose space is gone; then what was uploaded and not completed, and files that were not finished.
 */
export async function sweepClips(options: ClipSweepOptions): Promise<void> {
  const { db, files, siteDays, now, metrics, checkpoint } = options
  await deletePending(options)
  for (const { spaceId, days } of await listSpacesWithClips(db)) {
    const before = now - (days ?? siteDays) * DAY_MS
    await inBatches(
      checkpoint,
      () => listClipsBefore(db, spaceId, before, MAX_ROWS),
      clips => deleteWhole(options, clips),
    )
  }
  await deleteOrphans(options, CLIP_PREFIXES.incoming, async () => new Set())
  metrics.deleted.inc(
    { what: 'unfinished' },
    (await files?.deleteTemporaryBefore(now - PENDING_LIFE_MS)) ?? 0,
  )
}

/** Deletes objects that no row of a clip leads to: what a crash, or a database that was restored, has left. Looks at all. */
export async function sweepClipOrphans(options: ClipSweepOptions): Promise<void> {
  for (const prefix of [CLIP_PREFIXES.media, CLIP_PREFIXES.poster])
    await deleteOrphans(options, prefix, ids => findClipIds(options.db, ids))
}

/** One by one and the row first: a clip that is completed meanwhile keeps its object. */
async function deletePending({ db, storage, now, metrics, checkpoint }: ClipSweepOptions): Promise<void> {
  const list = () => listPendingClipsBefore(db, now - PENDING_LIFE_MS, MAX_ROWS)
  await inBatches(checkpoint, list, async clips => {
    for (const clip of clips) {
      if (!(await deletePendingClip(db, clip.id))) continue
      const { incoming, media } = keysOfClip(clip)
      await storage.delete([incoming, media])
      metrics.deleted.inc({ what: 'pending' })
    }
  })
}

/** Objects first: where that fails, the rows lead the next sweep to them. */
async function deleteWhole(
  { db, storage, metrics }: ClipSweepOptions,
  clips: readonly ClipRecord[],
): Promise<void> {
  await storage.delete(clips.flatMap(clip => Object.values(keysOfClip(clip))))
  await deleteClips(
    db,
    clips.map(({ id }) => id),
  )
  metrics.deleted.inc({ what: 'expired' }, clips.length)
}

async function deleteOrphans(
  { storage, now, metrics, checkpoint }: ClipSweepOptions,
  prefix: string,
  findKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    await checkpoint()
    const objects = await storage.list(prefix, after, MAX_OBJECTS)
    const old = objects.filter(({ modifiedAt }) => modifiedAt < now - ORPHAN_AGE_MS)
    const known = old.length === 0 ? new Set() : await findKnown(old.map(({ key }) => idOf(key)))
    const orphans = old.map(({ key }) => key).filter(key => !known.has(idOf(key)))
    await storage.delete(orphans)
    metrics.deleted.inc({ what: 'orphan' }, orphans.length)
    after = objects.at(-1)?.key ?? null
    if (objects.length < MAX_OBJECTS) return
  }
}

function idOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

async function inBatches(
  checkpoint: () => Promise<void>,
  list: () => Promise<ClipRecord[]>,
  handle: (clips: readonly ClipRecord[]) => Promise<void>,
): Promise<void> {
  for (let clips = await list(); clips.length > 0; clips = await list()) {
    await checkpoint()
    await handle(clips)
    if (clips.length < MAX_ROWS) return
  }
}
