import { requireUser } from '../../shared/auth/viewer.ts'
import { readAnomalyPage } from '../anomaly-page.ts'
import { listAnomalies } from '../anomaly-repository.ts'
import { isEmptyAnomalySelection, readAnomalySelection } from '../anomaly-selection.ts'
import { requireId } from '../event-selection.ts'
import type { QueryResolvers } from '../resolver-types.generated.ts'

/** Queries of anomalies. */
export const anomalyQueries = {
  async anomalies(_, { spaceId, filter, orderBy, first, after }, { viewer, requireReader, db, anomalies }) {
    requireUser(viewer)
    requireId('spaceId', spaceId)
    const selection = readAnomalySelection(filter)
    const order = orderBy ?? 'NEWEST'
    const page = readAnomalyPage(order, { first, after })
    await requireReader(spaceId)
    if (isEmptyAnomalySelection(selection)) return page.toConnection([], async () => 0)
    const rows = await listAnomalies(db, { spaceId, selection, order, after: page.after, limit: page.limit })
    return page.toConnection(rows, () => anomalies.count.load({ spaceId, selection }))
  },

  async anomaly(_, { id }, { viewer, anomalies }) {
    requireUser(viewer)
    return anomalies.byId.load(id)
  },
} satisfies QueryResolvers
