import type { ClipRecord } from '../../shared/clip-desk.ts'

/** First parts of the keys of objects: what devices upload, what was looked at, and what was taken of videos. */
export const CLIP_PREFIXES = { incoming: 'incoming', media: 'media', poster: 'poster' } as const

/** Keys of the objects of a clip. Only `incoming` is ever open to uploads, and only `media` and `poster` are read. */
export function keysOfClip({ spaceId, id }: Pick<ClipRecord, 'spaceId' | 'id'>) {
  return {
    incoming: `${CLIP_PREFIXES.incoming}/${spaceId}/${id}`,
    media: `${CLIP_PREFIXES.media}/${spaceId}/${id}`,
    poster: `${CLIP_PREFIXES.poster}/${spaceId}/${id}`,
  }
}
