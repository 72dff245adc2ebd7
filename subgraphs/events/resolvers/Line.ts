import { requireUser } from '../../shared/auth/viewer.ts'
import type { LineResolvers } from '../resolver-types.generated.ts'

export const Line: LineResolvers = {
  async openAnomalyCount({ id }, _, { viewer, anomalies }) {
    requireUser(viewer)
    return anomalies.openOfLine.load(id)
  },
}
