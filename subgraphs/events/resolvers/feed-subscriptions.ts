import { requireUser } from '../../shared/auth/viewer.ts'
import type { SubscriptionResolvers } from '../resolver-types.generated.ts'

/** Subscriptions to what one watches. */
export const feedSubscriptions = {
  feedItemAdded: {
    async subscribe(_, __, { viewer, feeds, start }) {
      return feeds.follow(requireUser(viewer).userId, start, feedItemAdded => ({ feedItemAdded }))
    },
  },
} satisfies SubscriptionResolvers
