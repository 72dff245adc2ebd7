import type { Redis } from 'ioredis'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Closable } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { startRepeatedLoad } from '../shared/repeated-load.ts'

const LEASE_MS = 15_000
const RENEW_MS = 5_000

/** Whether this process is the one that tells of broadcasts: all hear of them, and each change is to be told once. */
export interface KeeperLease extends Closable {
  readonly isHeld: boolean
}

/**
 * Starts to ask for the lease, and to renew it. `onGained` is called each time it becomes ours. Whoever holds it and is gone is
 * followed within 15 s; `owner`, when it starts again, takes its own back at once.
 */
export function startKeeperLease({
  redis,
  owner,
  onGained,
  logger,
}: {
  redis: Redis
  owner: string
  onGained: () => void
  logger: Logger
}): KeeperLease {
  const key = redisKeys.broadcastKeeper()
  let heldUntil = 0

  async function ask(): Promise<void> {
    const askedAt = performance.now()
    const isNew = (await redis.set(key, owner, 'PX', LEASE_MS, 'NX')) !== null
    if (!isNew && (await redis.get(key)) !== owner) return
    if (!isNew) await redis.pexpire(key, LEASE_MS)
    const isGained = performance.now() >= heldUntil
    // From before it was asked for, so that it ends here before it ends there.
    heldUntil = askedAt + LEASE_MS
    if (isGained) onGained()
  }

  const loop = startRepeatedLoad({
    load: ask,
    intervalMs: RENEW_MS,
    onError: error => logger.warn({ err: error }, 'streaming.lease_not_renewed'),
  })
  loop.refresh()
  return {
    get isHeld() {
      return performance.now() < heldUntil
    },
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      if (performance.now() >= heldUntil) return
      heldUntil = 0
      await redis.del(key).catch(() => {})
    },
  }
}
