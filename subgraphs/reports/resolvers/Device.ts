import { requireUser } from '../../shared/auth/viewer.ts'
import { readPastRange } from '../availability-report.ts'
import { readTimeRange } from '../report-range.ts'
import type { DeviceResolvers } from '../resolver-types.generated.ts'

export const Device: DeviceResolvers = {
  async anomalyCount({ id }, { from, to }, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.anomalyCount.device.load({ id, range: readTimeRange(from, to) })
  },

  async availability({ id }, { from, to }, { viewer, loaders, now }) {
    requireUser(viewer)
    return loaders.availability.load({ id, range: readPastRange(from, to, now) })
  },
}
