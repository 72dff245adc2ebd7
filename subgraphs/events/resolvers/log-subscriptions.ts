import { requireUser } from '../../shared/auth/viewer.ts'
import { followTopic } from '../../shared/graphql/follow-topic.ts'
import { createLogTest, readLiveLogSelection } from '../log-selection.ts'
import type { SubscriptionResolvers } from '../resolver-types.generated.ts'

/** Subscriptions to logs. */
export const logSubscriptions = {
  logAdded: {
    async subscribe(_, { spaceId, filter }, { viewer, requireReader, liveReader, start }) {
      requireUser(viewer)
      const isSelected = createLogTest(readLiveLogSelection(spaceId, filter))
      await requireReader(spaceId)
      return followTopic(liveReader, 'log', spaceId, start, event =>
        isSelected(event) ? { logAdded: event } : undefined,
      )
    },
  },
} satisfies SubscriptionResolvers
