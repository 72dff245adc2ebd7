import type { AnomalyConflictResolvers } from '../resolver-types.generated.ts'

export const AnomalyConflict: AnomalyConflictResolvers = {
  status: ({ anomaly }) => anomaly.status,
  by: ({ userId }) => (userId === null ? null : { id: userId }),
}
