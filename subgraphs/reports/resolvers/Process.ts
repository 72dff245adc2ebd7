import { requireUser } from '../../shared/auth/viewer.ts'
import { readTimeRange } from '../report-range.ts'
import type { ProcessResolvers } from '../resolver-types.generated.ts'

export const Process: ProcessResolvers = {
  async anomalyCount({ id }, { from, to }, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.anomalyCount.process.load({ id, range: readTimeRange(from, to) })
  },
}
