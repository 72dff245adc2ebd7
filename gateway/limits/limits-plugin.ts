import type { ApolloServerPlugin } from '@apollo/server'
import type { GatewayContext } from '../gateway-context.ts'
import type { LimitMetrics } from './limit-metrics.ts'
import type { ChargeOperation } from './operation-charges.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { hasSucceeded, listSignIns, type SignIn } from './sign-ins.ts'

/** A request with this header is told its cost by a header of the same name. */
export const COST_HEADER = 'x-nuvion-cost'

/** Applies the limits that need a valid operation, before it runs: its cost, and sign-ins that have failed. */
export function createLimitsPlugin({
  charge,
  signIns,
  metrics,
}: {
  charge: ChargeOperation
  signIns: SignInThrottle
  metrics: LimitMetrics
}): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      let begun: readonly SignIn[] = []
      return {
        async didResolveOperation({ document, operation, request, response, contextValue }) {
          if (operation === undefined) return
          const { address } = contextValue
          const variables = request.variables ?? {}
          const cost = charge(document, operation, variables, contextValue)
          if (request.http?.headers.has(COST_HEADER)) response.http.headers.set(COST_HEADER, String(cost))
          const found = listSignIns(document, operation, variables, address)
          try {
            for (const { attempt } of found) await signIns.begin(attempt)
          } catch (thrown) {
            metrics.countRefusal(thrown)
            throw thrown
          }
          begun = found
        },
        async willSendResponse({ document, response: { body } }) {
          if (begun.length === 0 || document === undefined || body.kind !== 'single') return
          const { data } = body.singleResult
          const good = begun.filter(signIn => hasSucceeded(signIn, document, data))
          await Promise.all(good.map(({ attempt }) => signIns.forgive(attempt)))
        },
      }
    },
  }
}
