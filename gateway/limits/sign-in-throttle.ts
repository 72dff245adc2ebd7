import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { redisKeys } from '../../schema/redis-keys.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import type { RateLimits } from '../gateway-limits.ts'
import { createRateError } from './limit-error.ts'

/** Who tries to sign in as whom. */
export interface SignInAttempt {
  /** IP address. */
  readonly address: string
  readonly email: string
}

/** Slows down whoever guesses passwords. */
export interface SignInThrottle {
  /** Counts an attempt, before it is made. Rejects with RATE_LIMITED when too many have failed. */
  begin(attempt: SignInAttempt): Promise<void>
  /** Takes an attempt back that has succeeded. */
  forgive(attempt: SignInAttempt): Promise<void>
}

/** Checking a password takes 50 ms, so this is waited for; not long, though. */
const REDIS_DEADLINE_MS = 250

/**
 * Creates the throttle: attempts that fail per e-mail address and IP address, and per IP address, counted in Redis. When
 * Redis does not answer (`onUnavailable`), the process counts by itself.
 */
export function createSignInThrottle({
  redis,
  limits: { maxFailedSignIns, maxFailedSignInsPerIp, signInWindowSeconds: duration },
  onUnavailable,
}: {
  /** Null: no limit. */
  redis: Redis | null
  limits: RateLimits
  onUnavailable: (error: unknown) => void
}): SignInThrottle {
  if (redis === null || maxFailedSignIns === 0) return { async begin() {}, async forgive() {} }
  const createCounter = (points: number) => {
    const options = { keyPrefix: '', points, duration }
    return {
      points,
      shared: new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }),
      own: new RateLimiterMemory(options),
    }
  }
  const perIp = createCounter(maxFailedSignInsPerIp)
  const perAddress = createCounter(maxFailedSignIns)

  /** Milliseconds to wait; 0 when the attempt may be made. */
  async function count(counter: typeof perIp, key: string, change: 1 | -1): Promise<number> {
    const by = (limiter: RateLimiterAbstract) => (change === 1 ? limiter.consume(key) : limiter.reward(key))
    const failed = (thrown: unknown): number => {
      if (thrown instanceof RateLimiterRes) return thrown.msBeforeNext
      throw thrown
    }
    const allowed = () => 0
    try {
      return await withDeadline('Redis', REDIS_DEADLINE_MS, () => by(counter.shared).then(allowed, failed))
    } catch (error) {
      onUnavailable(error)
      return by(counter.own).then(allowed, failed)
    }
  }

  const keysOf = ({ address, email }: SignInAttempt) => {
    const digest = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
    return { ip: redisKeys.failedSignInsOfIp(address), address: redisKeys.failedSignIns(address, digest) }
  }

  return {
    async begin(attempt) {
      const keys = keysOf(attempt)
      // One after the other: what an IP address may not try makes no more keys.
      for (const [counter, key] of [
        [perIp, keys.ip],
        [perAddress, keys.address],
      ] as const) {
        const waitMs = await count(counter, key, 1)
        if (waitMs > 0)
          throw createRateError('signIn', counter.points, waitMs, 'Too many sign-ins have failed.')
      }
    },
    async forgive(attempt) {
      const keys = keysOf(attempt)
      await Promise.all([count(perIp, keys.ip, -1), count(perAddress, keys.address, -1)])
    },
  }
}
