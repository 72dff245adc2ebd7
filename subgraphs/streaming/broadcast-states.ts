import type { Redis } from 'ioredis'
import { redisKeys } from '../../schema/redis-keys.ts'
import { AppError } from '../shared/errors.ts'
import type { BroadcastState } from '../shared/media-port.ts'

/** A broadcast as every process can read it. */
export interface KeptBroadcast extends BroadcastState {
  readonly spaceId: string
}

/** What is known of broadcasts for so long after it was last renewed. */
export const BROADCAST_TTL_MS = 30_000

/** Broadcasts of a space that are listed. */
const MAX_LISTED = 500

/** The broadcasts of the site, in the live Redis. Rejects with UNAVAILABLE, or as ioredis does, when that is away. */
export interface BroadcastStates {
  /** Broadcasts of devices, in their order: one round trip. */
  load(deviceIds: readonly string[]): Promise<(KeptBroadcast | null)[]>
  /** Broadcasts of a space, newest first, 500 at most: two round trips. */
  list(spaceId: string): Promise<KeptBroadcast[]>
  /** Keeps broadcasts for another 30 s; one round trip. */
  keep(broadcasts: readonly KeptBroadcast[]): Promise<void>
  /** Forgets the broadcast of a device. */
  forget(broadcast: Pick<KeptBroadcast, 'deviceId' | 'spaceId'>): Promise<void>
}

/** Creates the way to the broadcasts of the site. */
export function createBroadcastStates({ redis }: { redis: Redis }): BroadcastStates {
  async function load(deviceIds: readonly string[]): Promise<(KeptBroadcast | null)[]> {
    if (deviceIds.length === 0) return []
    const texts = await redis.mget(deviceIds.map(redisKeys.broadcast))
    return texts.map(text => (text === null ? null : (JSON.parse(text) as KeptBroadcast)))
  }

  return {
    load,
    async list(spaceId) {
      const key = redisKeys.broadcastsOfSpace(spaceId)
      const deviceIds = await redis.zrangebyscore(key, Date.now(), '+inf', 'LIMIT', 0, MAX_LISTED)
      const found = await load(deviceIds)
      return found
        .filter(broadcast => broadcast !== null)
        .filter(broadcast => broadcast.spaceId === spaceId)
        .sort((a, b) => (a.broadcastId < b.broadcastId ? 1 : -1))
    },
    async keep(broadcasts) {
      const pipeline = redis.pipeline()
      const lapsesAt = Date.now() + BROADCAST_TTL_MS
      for (const broadcast of broadcasts) {
        const { deviceId, spaceId } = broadcast
        const ofSpace = redisKeys.broadcastsOfSpace(spaceId)
        pipeline.set(redisKeys.broadcast(deviceId), JSON.stringify(broadcast), 'PX', BROADCAST_TTL_MS)
        pipeline.zadd(ofSpace, lapsesAt, deviceId)
        pipeline.zremrangebyscore(ofSpace, '-inf', Date.now())
        pipeline.pexpire(ofSpace, BROADCAST_TTL_MS)
      }
      check(await pipeline.exec())
    },
    async forget({ deviceId, spaceId }) {
      const pipeline = redis.pipeline().del(redisKeys.broadcast(deviceId))
      check(await pipeline.zrem(redisKeys.broadcastsOfSpace(spaceId), deviceId).exec())
    },
  }
}

function check(results: [Error | null, unknown][] | null): void {
  const failed = results?.find(([error]) => error !== null)
  if (failed !== undefined)
    throw new AppError('UNAVAILABLE', 'Broadcasts cannot be noted now. Try again.', { cause: failed[0] })
}
