import type { BroadcastEvent } from '../../../schema/live-event.ts'
import { AppError } from '../../shared/errors.ts'
import { followTopic } from '../../shared/graphql/follow-topic.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import type { SubscriptionResolvers } from '../resolver-types.generated.ts'
import { NO_SESSION } from '../session-desk.ts'
import { followSession } from '../session-news.ts'

export const Subscription: SubscriptionResolvers = {
  signaling: {
    async subscribe(_, { sessionId }, { requireViewer, desk, feed, media, keeper }) {
      const session = await desk.find(requireViewer(), sessionId)
      if (session === null) throw new AppError('NOT_FOUND', NO_SESSION)
      return followSession({ feed, media }, sessionId, keeper.follow(session))
    },
  },

  broadcastChanged: {
    async subscribe(_, { spaceId }, { viewer, access, liveReader, start }) {
      await requireRight(access, viewer, spaceId, 'space.read')
      return followTopic(liveReader, 'broadcast', spaceId, start, event => ({ broadcastChanged: event }))
    },
    /** The message says what the event said, even when the broadcast has changed again meanwhile. */
    resolve: ({ broadcastChanged: { deviceId, broadcast } }: { broadcastChanged: BroadcastEvent }) => ({
      id: deviceId,
      toldBroadcast: broadcast as never,
    }),
  },
}
