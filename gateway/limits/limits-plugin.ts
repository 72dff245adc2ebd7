import type { ApolloServerPlugin } from '@apollo/server'
import type { GatewayContext } from '../gateway-context.ts'
import type { AccountMutation, RateLimits } from '../gateway-limits.ts'
import { type AccountAttempt, isExempt, listAccountAttempts } from './account-attempts.ts'
import type { AccountThrottle } from './account-throttle.ts'
import type { LimitMetrics } from './limit-metrics.ts'
import type { ChargeOperation } from './operation-charges.ts'

/** A request with this header is told its cost by a header of the same name. */
export const COST_HEADER = 'x-nuvion-cost'

/** Applies the limits that need a valid operation, before it runs: its cost, and attempts at accounts. */
export function createLimitsPlugin({
  charge,
  rates,
  throttle,
  metrics,
}: {
  charge: ChargeOperation
  rates: RateLimits['accountRates']
  throttle: AccountThrottle
  metrics: LimitMetrics
}): ApolloServerPlugin<GatewayContext> {
  const mutations = Object.keys(rates) as AccountMutation[]
  return {
    async requestDidStart() {
      let begun: readonly AccountAttempt[] = []
      return {
        async didResolveOperation({ document, operation, request, response, contextValue }) {
          if (operation === undefined) return
          const variables = request.variables ?? {}
          const cost = charge(document, operation, variables, contextValue)
          if (request.http?.headers.has(COST_HEADER)) response.http.headers.set(COST_HEADER, String(cost))
          const found = listAccountAttempts(document, operation, variables, mutations, contextValue)
          try {
            for (const attempt of found) await throttle.begin(attempt)
          } catch (thrown) {
            metrics.countRefusal(thrown)
            throw thrown
          }
          begun = found
        },
        async willSendResponse({ document, response: { body } }) {
          if (begun.length === 0 || document === undefined || body.kind !== 'single') return
          const { data } = body.singleResult
          const exempt = begun.filter(attempt =>
            isExempt(attempt, rates[attempt.mutation].counts, document, data),
          )
          await Promise.all(exempt.map(throttle.forgive))
        },
      }
    },
  }
}
