import type { TopologyEvent } from '../../schema/live-event.ts'
import { AppError } from '../shared/errors.ts'
import { Refusal } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { Right } from '../shared/permissions/rights-table.ts'
import { changeSpace, type SpaceChange } from './space-change.ts'
import type { TopologyChanges } from './topology-changes.ts'

/** Who makes a change in which space. */
export interface Actor {
  readonly actorId: string
  readonly spaceId: string
}

/**
 * Runs a change of the topology as changeSpace does, one of a space at a time, and then tells of what it touches: also
 * when it failed in a way that leaves open whether it was committed.
 */
export async function changeTopology<T>(
  { db, topologyChanges }: { db: Db; topologyChanges: TopologyChanges },
  { actorId, spaceId }: Actor,
  {
    right,
    touches,
  }: { right: Right; touches: readonly (Pick<TopologyEvent, 'kind'> & Partial<TopologyEvent>)[] },
  change: (change: SpaceChange) => Promise<T>,
): Promise<T> {
  const tell = () => topologyChanges.publish(...touches.map(event => ({ ...event, spaceId })))
  try {
    const result = await changeSpace(db, { spaceId, actorId, right }, change)
    await tell()
    return result
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof AppError)) await tell()
    throw error
  }
}
