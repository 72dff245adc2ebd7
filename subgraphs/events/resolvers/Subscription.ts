import type { SubscriptionResolvers } from '../resolver-types.generated.ts'
import { logSubscriptions } from './log-subscriptions.ts'

export const Subscription: SubscriptionResolvers = {
  ...logSubscriptions,
}
