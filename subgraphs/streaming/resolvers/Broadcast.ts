import type { BroadcastResolvers } from '../resolver-types.generated.ts'

/** Whoever got hold of a broadcast may read it. */
export const Broadcast: BroadcastResolvers = {
  id: ({ broadcastId }) => broadcastId,
  device: ({ deviceId }) => ({ id: deviceId }),
  startedAt: ({ startedAt }) => new Date(startedAt),
  ingest: ({ kind }) => ({ kind }),
}
