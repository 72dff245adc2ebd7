import type { SubscriptionResolvers } from '../resolver-types.generated.ts'
import { anomalySubscriptions } from './anomaly-subscriptions.ts'
import { feedSubscriptions } from './feed-subscriptions.ts'
import { logSubscriptions } from './log-subscriptions.ts'

export const Subscription: SubscriptionResolvers = {
  ...anomalySubscriptions,
  ...feedSubscriptions,
  ...logSubscriptions,
}
