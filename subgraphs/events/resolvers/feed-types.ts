import type { Resolvers } from '../resolver-types.generated.ts'
import { toWatchTarget } from './feed-mutations.ts'

/** Types of watches, the feed and presence. */
export const feedTypes = {
  Watch: { target: ({ kind, targetId }) => toWatchTarget(kind, targetId) },
  WatchTarget: { __resolveType: ({ __typename }) => __typename },
  FeedItem: {
    __resolveType: item => ('level' in item ? 'Log' : 'severity' in item ? 'Anomaly' : 'PresenceEvent'),
  },
  PresenceEvent: {
    kind: ({ online }) => (online ? 'ONLINE' : 'OFFLINE'),
    occurredAt: ({ at }) => new Date(at),
    device: ({ deviceId }) => ({ id: deviceId }),
  },
} satisfies Resolvers
