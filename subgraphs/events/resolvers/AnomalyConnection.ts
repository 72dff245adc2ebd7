import { MAX_COUNTED_ANOMALIES } from '../anomaly-repository.ts'
import type { AnomalyConnectionResolvers } from '../resolver-types.generated.ts'

export const AnomalyConnection: AnomalyConnectionResolvers = {
  totalCount: async connection => Math.min(await connection.count(), MAX_COUNTED_ANOMALIES),
  totalCountIsAtLeast: async connection => (await connection.count()) > MAX_COUNTED_ANOMALIES,
}
