import { requireUser } from '../shared/auth/viewer.ts'
import { followTopic } from '../shared/graphql/follow-topic.ts'
import { scalarResolvers } from '../shared/graphql/scalars.ts'
import { timeOfId } from '../shared/uuid-v7.ts'
import { readLogPage, toLogConnection, walkOf } from './log-page.ts'
import { listLogs, MAX_COUNTED_LOGS } from './log-repository.ts'
import { createLogTest, isEmptySelection, readLiveLogSelection, readLogSelection } from './log-selection.ts'
import type { Resolvers } from './resolver-types.generated.ts'

/** Resolvers of the events subgraph. What is not here is a property of the parent (model.ts). */
export const resolvers: Resolvers = {
  ...scalarResolvers,

  Query: {
    async logs(_, { spaceId, filter, ...pageArgs }, { viewer, requireReader, db, logs }) {
      requireUser(viewer)
      const selection = readLogSelection(spaceId, filter)
      const page = readLogPage(pageArgs)
      await requireReader(spaceId)
      if (isEmptySelection(selection)) return toLogConnection([], page, async () => 0)
      const rows = await listLogs(db, selection, walkOf(page))
      return toLogConnection(rows, page, () => logs.count.load(selection))
    },
  },

  Subscription: {
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
  },

  Log: {
    __resolveReference: async ({ id }, { findLog }) => findLog(id),
    occurredAt: ({ id }) => new Date(timeOfId(id)),
    receivedAt: ({ receivedAt }) => new Date(receivedAt),
    device: ({ deviceId }) => ({ id: deviceId }),
    line: ({ lineId }) => (lineId === null ? null : { id: lineId }),
    process: ({ processId }) => (processId === null ? null : { id: processId }),
  },

  LogConnection: {
    totalCount: async connection => Math.min(await connection.count(), MAX_COUNTED_LOGS),
    totalCountIsAtLeast: async connection => (await connection.count()) > MAX_COUNTED_LOGS,
  },

  Device: {
    async logs({ id }, args, { viewer, logs }) {
      requireUser(viewer)
      const page = readLogPage(args)
      const { spaceId, rows } = await logs.ofDevice.load({ deviceId: id, walk: walkOf(page) })
      return toLogConnection(rows, page, () =>
        logs.count.load(readLogSelection(spaceId, { deviceIds: [id] })),
      )
    },
  },
}
