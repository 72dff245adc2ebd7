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
import type { AccountMutation, AccountRate, RateLimits } from '../gateway-limits.ts'
import type { AccountAttempt } from './account-attempts.ts'
import { createRateError } from './limit-error.ts'

type Attempt = Pick<AccountAttempt, 'mutation' | 'ip' | 'account'>

/** Slows down whoever guesses passwords and codes, or has mail sent to others. */
export interface AccountThrottle {
  /** Counts an attempt, before it is made. Rejects with RATE_LIMITED when there have been too many. */
  begin(attempt: Attempt): Promise<void>
  /** Takes an attempt back that is none of those that count. */
  forgive(attempt: Attempt): Promise<void>
}

/** What is counted takes a database and often a hash, so this is waited for; not long, though. */
const REDIS_DEADLINE_MS = 250

interface Counter {
  readonly max: number
  /** Counts nothing when no account is named. */
  readonly isOfAccount: boolean
  readonly shared: RateLimiterRedis
  readonly own: RateLimiterMemory
  keyOf(attempt: { mutation: AccountMutation; ip: string; digest: string }): string
}

/**
 * Creates the throttle: attempts at each mutation from an IP address, at an account, and both, counted in Redis. When
 * Redis does not answer (`onUnavailable`), the process counts by itself. It never asks whether an account exists.
 */
export function createAccountThrottle({
  redis,
  rates,
  onUnavailable,
}: {
  /** Null: no limit. */
  redis: Redis | null
  rates: RateLimits['accountRates']
  onUnavailable: (error: unknown) => void
}): AccountThrottle {
  if (redis === null) return { async begin() {}, async forgive() {} }
  const counters = Object.fromEntries(
    Object.entries(rates).map(([mutation, rate]) => [mutation, createCounters(redis, rate)]),
  ) as Record<AccountMutation, readonly Counter[]>

  /** Milliseconds to wait; 0 when the attempt may be made. */
  async function count({ shared, own }: Counter, key: string, change: 1 | -1): Promise<number> {
    const by = (limiter: RateLimiterAbstract) => (change === 1 ? limiter.consume(key) : limiter.reward(key))
    const failed = (thrown: unknown): number => {
      if (thrown instanceof RateLimiterRes) return thrown.msBeforeNext
      throw thrown
    }
    const allowed = () => 0
    try {
      return await withDeadline('Redis', REDIS_DEADLINE_MS, () => by(shared).then(allowed, failed))
    } catch (error) {
      onUnavailable(error)
      return by(own).then(allowed, failed)
    }
  }

  /** The counters that an attempt changes, each with its key. */
  function listCounters({ mutation, ip, account }: Attempt): (readonly [Counter, string])[] {
    const digest = createHash('sha256').update(account).digest('base64url')
    return counters[mutation]
      .filter(({ isOfAccount }) => !isOfAccount || account !== '')
      .map(counter => [counter, counter.keyOf({ mutation, ip, digest })])
  }

  return {
    async begin(attempt) {
      const { mutation } = attempt
      // One after the other: what an IP address may not try makes no more keys, and costs nobody's account anything.
      for (const [counter, key] of listCounters(attempt)) {
        const waitMs = await count(counter, key, 1)
        if (waitMs > 0)
          throw createRateError(mutation, counter.max, waitMs, describe(rates[mutation], mutation))
      }
    },
    async forgive(attempt) {
      await Promise.all(listCounters(attempt).map(([counter, key]) => count(counter, key, -1)))
    },
  }
}

function createCounters(redis: Redis, rate: AccountRate): readonly Counter[] {
  const create = (max: number, isOfAccount: boolean, keyOf: Counter['keyOf']): Counter[] => {
    if (max === 0) return []
    const options = { keyPrefix: '', points: max, duration: rate.windowSeconds }
    return [
      {
        max,
        isOfAccount,
        keyOf,
        shared: new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true }),
        own: new RateLimiterMemory(options),
      },
    ]
  }
  return [
    ...create(rate.maxPerIp, false, ({ mutation, ip }) => redisKeys.attemptsOfIp(mutation, ip)),
    ...create(rate.maxPerIpAndAccount, true, ({ mutation, ip, digest }) =>
      redisKeys.attemptsOfIpAtAccount(mutation, ip, digest),
    ),
    ...create(rate.maxPerAccount, true, ({ mutation, digest }) =>
      redisKeys.attemptsAtAccount(mutation, digest),
    ),
  ]
}

function describe({ counts }: AccountRate, mutation: AccountMutation): string {
  if (mutation === 'signIn') return 'Too many sign-ins have failed.'
  return counts === 'failed' ? `Too many of ${mutation} have failed.` : `Too many of ${mutation}.`
}
