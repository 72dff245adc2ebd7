import { requireUser } from '../../shared/auth/viewer.ts'
import { readTimeRange } from '../report-range.ts'
import type { LineResolvers } from '../resolver-types.generated.ts'

export const Line: LineResolvers = {
  async anomalyCount({ id }, { from, to }, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.anomalyCount.line.load({ id, range: readTimeRange(from, to) })
  },
}
