import type { AnomalyChange } from '../../../schema/live-event.ts'
import { requireUser } from '../../shared/auth/viewer.ts'
import { followTopic } from '../../shared/graphql/follow-topic.ts'
import { type AnomalyFilterInput, createAnomalyTest, readLiveAnomalySelection } from '../anomaly-selection.ts'
import type { SubgraphContext } from '../context.ts'
import { requireId } from '../event-selection.ts'
import type { SubscriptionResolvers } from '../resolver-types.generated.ts'

/** Subscriptions to anomalies: what is raised is told by the one, what changes by the other. */
export const anomalySubscriptions = {
  anomalyRaised: {
    subscribe: (_, args, context) =>
      followAnomalies(args, context, ({ change, anomaly }) =>
        change === 'RAISED' ? { anomalyRaised: anomaly } : undefined,
      ),
  },
  anomalyUpdated: {
    subscribe: (_, args, context) =>
      followAnomalies(args, context, ({ change, anomaly }) =>
        change === 'RAISED' ? undefined : { anomalyUpdated: anomaly },
      ),
  },
} satisfies SubscriptionResolvers

async function followAnomalies<R extends object>(
  { spaceId, filter }: { spaceId: string; filter?: AnomalyFilterInput | null | undefined },
  { viewer, requireReader, liveReader, start }: SubgraphContext,
  toRootValue: (change: AnomalyChange) => R | undefined,
) {
  requireUser(viewer)
  requireId('spaceId', spaceId)
  const isSelected = createAnomalyTest(readLiveAnomalySelection(filter))
  await requireReader(spaceId)
  return followTopic(liveReader, 'anomaly', spaceId, start, change =>
    isSelected(change.anomaly) ? toRootValue(change) : undefined,
  )
}
