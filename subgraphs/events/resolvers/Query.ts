import type { QueryResolvers } from '../resolver-types.generated.ts'
import { anomalyQueries } from './anomaly-queries.ts'
import { logQueries } from './log-queries.ts'

export const Query: QueryResolvers = {
  ...anomalyQueries,
  ...logQueries,
}
