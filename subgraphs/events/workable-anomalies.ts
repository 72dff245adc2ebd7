import type { AnomalyState } from '../../schema/live-event.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { checkRight } from '../shared/permissions/rights-table.ts'
import type { SpaceAccess } from '../shared/space-access.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import { findAnomalies } from './anomaly-repository.ts'

/**
 * Finds anomalies that a user may work on, by id. Those that do not exist, or are of a space that is none of the user's,
 * are missing alike. Throws FORBIDDEN when the user's role in the space of one is too small.
 */
export async function findWorkableAnomalies(
  { db, access }: { readonly db: Db; readonly access: SpaceAccess },
  userId: string,
  ids: readonly string[],
): Promise<Map<string, AnomalyState>> {
  const found = await findAnomalies(db, ids.filter(isUuidV7))
  const spaceIds = [...new Set(found.map(({ spaceId }) => spaceId))]
  const roles = new Map(
    await Promise.all(spaceIds.map(async id => [id, await access.roleOf(userId, id)] as const)),
  )
  const visible = found.filter(({ spaceId }) => roles.get(spaceId) != null)
  for (const { spaceId } of visible) checkRight(roles.get(spaceId) ?? null, 'anomaly.work')
  return new Map(visible.map(anomaly => [anomaly.id, anomaly]))
}
