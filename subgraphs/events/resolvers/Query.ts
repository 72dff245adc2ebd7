import type { QueryResolvers } from '../resolver-types.generated.ts'
import { alertQueries } from './alert-queries.ts'
import { anomalyQueries } from './anomaly-queries.ts'
import { logQueries } from './log-queries.ts'

export const Query: QueryResolvers = {
  ...alertQueries,
  ...anomalyQueries,
  ...logQueries,
}
