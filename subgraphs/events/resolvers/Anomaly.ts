import { readPage, toConnection } from '../../shared/graphql/connection.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import { withCount } from '../anomaly-page.ts'
import type { CommentParent } from '../model.ts'
import type { AnomalyResolvers } from '../resolver-types.generated.ts'
import { anomalyClips } from './anomaly-clips.ts'

const COMMENT_CURSOR = { kind: 'comment', parts: ['id'] } as const

export const Anomaly: AnomalyResolvers = {
  ...anomalyClips,
  __resolveReference: async ({ id }, { anomalies }) => anomalies.byId.load(id),
  occurredAt: ({ id }) => new Date(timeOfId(id)),
  receivedAt: ({ receivedAt }) => new Date(receivedAt),
  firstOccurredAt: ({ firstOccurrenceId }) => new Date(timeOfId(firstOccurrenceId)),
  lastOccurredAt: ({ lastOccurrenceId }) => new Date(timeOfId(lastOccurrenceId)),
  acknowledgedAt: ({ acknowledgedAt }) => (acknowledgedAt === null ? null : new Date(acknowledgedAt)),
  acknowledgedBy: ({ acknowledgedBy }) => (acknowledgedBy === null ? null : { id: acknowledgedBy }),
  resolvedAt: ({ resolvedAt }) => (resolvedAt === null ? null : new Date(resolvedAt)),
  resolvedBy: ({ resolvedBy }) => (resolvedBy === null ? null : { id: resolvedBy }),
  device: ({ deviceId }) => ({ id: deviceId }),
  line: ({ lineId }) => (lineId === null ? null : { id: lineId }),
  process: ({ processId }) => (processId === null ? null : { id: processId }),
  async comments({ id: anomalyId }, args, { anomalies }) {
    const page = readPage(args, { cursorShape: COMMENT_CURSOR })
    const { direction, key, size } = page
    const afterId = key === null ? null : key[0]
    const rows = await anomalies.comments.load({ anomalyId, direction, afterId, limit: size + 1 })
    return withCount(
      toConnection(rows, page, ({ id }: CommentParent) => [id]),
      () => anomalies.commentCount.load(anomalyId),
    )
  },
}
