import type { ClipResolvers } from '../resolver-types.generated.ts'

export const Clip: ClipResolvers = {
  url: (clip, _, { clips }) => clips.links.toMedia(clip)?.url ?? null,
  urlExpiresAt: (clip, _, { clips }) => clips.links.toMedia(clip)?.expiresAt ?? null,
  posterUrl: (clip, _, { clips }) => clips.links.toPoster(clip)?.url ?? null,
}
