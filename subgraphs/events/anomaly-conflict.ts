import type { AnomalyState } from '../../schema/live-event.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { timeOfId } from '../shared/uuid-v7.ts'
import type { AnomalyConflictParent } from './model.ts'
import { findNamesOfMembers } from './person-repository.ts'

const VERBS = { OPEN: 'Reopened', ACKNOWLEDGED: 'Acknowledged', RESOLVED: 'Resolved' } as const

/** Says who brought an anomaly to where it stands, and when. An OPEN one was raised by its device, at the time of its id. */
export function conflictWith(anomalyId: string, anomaly: AnomalyState): AnomalyConflictParent {
  const { status, acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy } = anomaly
  const [userId, at] =
    status === 'RESOLVED'
      ? [resolvedBy, resolvedAt]
      : status === 'ACKNOWLEDGED'
        ? [acknowledgedBy, acknowledgedAt]
        : [null, timeOfId(anomaly.id)]
  return { anomalyId, anomaly, userId, at: new Date(at ?? anomaly.receivedAt) }
}

/** Describes conflicts to a user, in one statement: `Acknowledged by Kim at 2026-01-31T08:00:00.000Z.` */
export async function describeConflicts(
  db: Db,
  viewerId: string,
  conflicts: readonly AnomalyConflictParent[],
): Promise<string[]> {
  const others = conflicts.flatMap(({ userId }) => (userId === null || userId === viewerId ? [] : [userId]))
  const names = await findNamesOfMembers(
    db,
    [...new Set(conflicts.map(({ anomaly }) => anomaly.spaceId))],
    [...new Set(others)],
  )
  return conflicts.map(({ anomalyId, anomaly, userId, at }) => {
    const who =
      userId === null
        ? 'its device'
        : userId === viewerId
          ? 'you'
          : (names.get(userId) ?? 'somebody who has left the space')
    const verb = anomaly.status === 'OPEN' && userId === null ? 'Raised' : VERBS[anomaly.status]
    const done = `${verb} by ${who} at ${at.toISOString()}.`
    if (anomaly.id === anomalyId) return anomaly.status === 'OPEN' ? `It is open. ${done}` : done
    return `Another anomaly of this device and type is not resolved: ${anomaly.id}. ${done}`
  })
}
