import { requireUser } from '../../shared/auth/viewer.ts'
import type { ProcessResolvers } from '../resolver-types.generated.ts'

export const Process: ProcessResolvers = {
  async openAnomalyCount({ id }, _, { viewer, anomalies }) {
    requireUser(viewer)
    return anomalies.openOfProcess.load(id)
  },
}
