import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createBoundedCache } from '../../subgraphs/shared/bounded-cache.ts'
import type { RateLimits } from '../gateway-limits.ts'
import { createRateError } from './limit-error.ts'

/** Points of each caller, shared by all gateways of a site. */
export interface CallerBudget {
  /** Takes a point. Throws RATE_LIMITED when the caller's points of this window are spent. */
  take(caller: string): void
  /** Takes the further points of an operation that runs, even if they are more than are left. */
  spend(caller: string, cost: number): void
}

interface Account {
  /** Points taken here in this window. */
  used: number
  /** Of these, the ones that Redis does not know of. */
  unshared: number
  endsAtMs: number
  /** Until when all gateways together have given this caller what there is. */
  blockedUntilMs: number
}

/** Callers that are remembered; who was not seen for longest begins anew. */
const MAX_CALLERS = 10_000

/** A caller's points are told to Redis when they have grown by this part of its budget. */
const SHARE = 0.1

/**
 * Creates the budgets. Nothing waits for Redis: a gateway counts by itself, exactly, and tells Redis in steps of a tenth
 * of the budget what a caller has taken; when Redis answers that it is spent, that caller is refused here too until the
 * window ends. So each further gateway lets at most a tenth more through per window, callers under a tenth cost Redis
 * nothing, and without Redis (`onUnavailable`) each gateway still keeps the limit for itself.
 */
export function createCallerBudget({
  redis,
  limits: { maxPoints, pointsWindowSeconds, costPerPoint },
  onUnavailable,
}: {
  /** Null: no limit. */
  redis: Redis | null
  limits: RateLimits
  onUnavailable: (error: unknown) => void
}): CallerBudget {
  if (redis === null || maxPoints === 0) return { take() {}, spend() {} }
  const accounts = createBoundedCache<string, Account>(MAX_CALLERS)
  const step = Math.ceil(maxPoints * SHARE)
  const shared = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: '',
    points: maxPoints,
    duration: pointsWindowSeconds,
    rejectIfRedisNotReady: true,
  })

  function open(caller: string, nowMs: number): Account {
    const known = accounts.get(caller)
    if (known !== undefined && nowMs < known.endsAtMs) return known
    const account = {
      used: 0,
      unshared: 0,
      endsAtMs: nowMs + pointsWindowSeconds * 1_000,
      blockedUntilMs: known?.blockedUntilMs ?? 0,
    }
    accounts.set(caller, account)
    return account
  }

  function charge(caller: string, account: Account, points: number): void {
    account.used += points
    account.unshared += points
    if (account.unshared < step) return
    const told = account.unshared
    account.unshared = 0
    shared.consume(redisKeys.callerPoints(caller), told).catch((thrown: unknown) => {
      if (!(thrown instanceof RateLimiterRes)) return onUnavailable(thrown)
      account.blockedUntilMs = Date.now() + thrown.msBeforeNext
    })
  }

  return {
    take(caller) {
      const nowMs = Date.now()
      const account = open(caller, nowMs)
      const waitMs =
        account.used >= maxPoints ? account.endsAtMs - nowMs : Math.max(0, account.blockedUntilMs - nowMs)
      if (waitMs > 0)
        throw createRateError(
          'rate',
          maxPoints,
          waitMs,
          `More than ${maxPoints} points in ${pointsWindowSeconds} s.`,
        )
      charge(caller, account, 1)
    },
    spend(caller, cost) {
      const points = Math.floor(cost / costPerPoint)
      if (points > 0) charge(caller, open(caller, Date.now()), points)
    },
  }
}
