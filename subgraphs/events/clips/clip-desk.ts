import type { ClipDesk, ClipRecord, ClipRequest } from '../../shared/clip-desk.ts'
import { refuse } from '../../shared/graphql/refusal.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { isLockFailure } from '../../shared/mysql/short-transaction.ts'
import type { ObjectStat, ObjectStorage } from '../../shared/storage/object-storage.ts'
import { isUuidV7, newId, timeOfId } from '../../shared/uuid-v7.ts'
import { CLIP_CONTENT_TYPES, CONTENT_START_BYTES, isContentOf } from './clip-content.ts'
import { keysOfClip } from './clip-keys.ts'
import { completeClip, deletePendingClip, findClipOfDevice, insertPendingClip } from './clip-repository.ts'

/** Bounds of clips. */
export interface ClipLimits {
  /** Of one clip. Default 512 MiB. */
  readonly maxBytes: number
  /** Of a device: requested and not completed; past it LIMIT_REACHED. Default 20. */
  readonly maxPending: number
  /** Of a link to upload by. Default 5 min. */
  readonly uploadLifeMs: number
  /** Ids of events may be as old. Default 90 days. */
  readonly retentionMs: number
}

/** Limits unless configured otherwise. */
export const DEFAULT_CLIP_LIMITS: ClipLimits = {
  maxBytes: 512 * 1024 * 1024,
  maxPending: 20,
  uploadLifeMs: 5 * 60_000,
  retentionMs: 90 * 86_400_000,
}

/** How far a device's clock may be ahead, as at the door. */
const MAX_AHEAD_MS = 5 * 60_000
const MAX_DURATION_MS = 86_400_000
const MAX_ATTEMPTS = 10

/** What the desk works with. */
export interface ClipDeskOptions {
  readonly db: Db
  readonly storage: ObjectStorage
  readonly limits?: Partial<ClipLimits>
  /** Is told of each clip that has become READY, and not waited for. */
  readonly onReady?: (clip: ClipRecord) => void
  readonly now?: () => number
}

/** Creates the desk. A request is one SQL statement and no call to the storage; completing is two and a few. */
export function createClipDesk(options: ClipDeskOptions): ClipDesk {
  const { db, storage, onReady = () => {}, now = Date.now } = options
  const limits = { ...DEFAULT_CLIP_LIMITS, ...options.limits }

  function check({ eventId, contentType, sizeBytes, durationMs }: ClipRequest): void {
    const age = isUuidV7(eventId) ? now() - timeOfId(eventId) : Number.NaN
    if (!(age >= -MAX_AHEAD_MS && age <= limits.retentionMs))
      refuse('BAD_USER_INPUT', 'eventId', 'eventId must be the id of an anomaly that the device has sent.')
    if (!CLIP_CONTENT_TYPES.includes(contentType))
      refuse('BAD_USER_INPUT', 'contentType', `contentType must be one of ${CLIP_CONTENT_TYPES.join(', ')}.`)
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 1 || sizeBytes > limits.maxBytes)
      refuse('BAD_USER_INPUT', 'sizeBytes', `sizeBytes must be between 1 and ${limits.maxBytes}.`)
    if (
      durationMs != null &&
      !(Number.isSafeInteger(durationMs) && durationMs >= 0 && durationMs <= MAX_DURATION_MS)
    )
      refuse('BAD_USER_INPUT', 'durationMs', `durationMs must be between 0 and ${MAX_DURATION_MS}.`)
  }

  /** Of two that count at a time the database may send one back. */
  async function insert(row: ClipRecord): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await insertPendingClip(db, row, limits.maxPending)
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isLockFailure(error)) throw error
      }
    }
  }

  /** Deletes what was uploaded, and the clip unless it is READY by another upload. */
  async function reject(clip: ClipRecord, message: string): Promise<never> {
    const { incoming, media } = keysOfClip(clip)
    const isGone = await deletePendingClip(db, clip.id)
    await storage.delete(isGone ? [incoming, media] : [incoming])
    return refuse('BAD_USER_INPUT', 'clipId', message)
  }

  /** Looks at what was uploaded and puts it where no upload reaches; whether it stayed the same meanwhile. */
  async function take(clip: ClipRecord, { sizeBytes, etag }: ObjectStat): Promise<boolean> {
    const { incoming, media } = keysOfClip(clip)
    if (sizeBytes !== clip.sizeBytes)
      return await reject(clip, `The file has ${sizeBytes} bytes instead of ${clip.sizeBytes}. Request anew.`)
    const start = await storage.readStart(incoming, etag, CONTENT_START_BYTES)
    if (start === null) return false
    if (!isContentOf(clip.contentType, start))
      return await reject(clip, `The file is not of the type ${clip.contentType}. Request anew.`)
    return await storage.move(incoming, media, etag)
  }

  return {
    async request({ deviceId, spaceId }, request) {
      const normal = {
        ...request,
        eventId: request.eventId.toLowerCase(),
        contentType: request.contentType.toLowerCase(),
      }
      check(normal)
      const { eventId, contentType, sizeBytes, durationMs = null } = normal
      const clip: ClipRecord = {
        ...{ id: newId(), spaceId, deviceId, eventId, contentType, sizeBytes, durationMs },
        ...{ status: 'PENDING', hasPoster: false, createdAt: new Date(now()) },
      }
      if (!(await insert(clip)))
        refuse('LIMIT_REACHED', null, `${limits.maxPending} clips of this device wait for their upload.`)
      const key = keysOfClip(clip).incoming
      const link = storage.presignPut({ key, contentType, sizeBytes, expiresInMs: limits.uploadLifeMs })
      return { uploadUrl: link.url, headers: link.headers, clip }
    },

    async complete({ deviceId }, clipId) {
      const clip = isUuidV7(clipId) ? await findClipOfDevice(db, deviceId, clipId) : null
      if (clip === null) return refuse('NOT_FOUND', 'clipId', 'There is no such clip of this device.')
      if (clip.status === 'READY') return clip
      const { incoming, media } = keysOfClip(clip)
      const uploaded = await storage.stat(incoming)
      const isTaken = uploaded !== null && (await take(clip, uploaded))
      // One who asked at the same time, or before a crash, may have put it there.
      if (!isTaken && (await storage.stat(media)) === null)
        return uploaded === null
          ? refuse('CONFLICT', 'clipId', 'Nothing has been uploaded yet.')
          : refuse('CONFLICT', 'clipId', 'The file was uploaded again meanwhile. Complete it anew.')
      const ready: ClipRecord = { ...clip, status: 'READY' }
      if (await completeClip(db, clip.id, new Date(now()))) onReady(ready)
      else if ((await findClipOfDevice(db, deviceId, clipId)) === null)
        return refuse('NOT_FOUND', 'clipId', 'There is no such clip of this device.')
      return ready
    },
  }
}
