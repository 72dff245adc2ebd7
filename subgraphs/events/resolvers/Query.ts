import type { QueryResolvers } from '../resolver-types.generated.ts'
import { alertQueries } from './alert-queries.ts'
import { anomalyQueries } from './anomaly-queries.ts'
import { feedQueries } from './feed-queries.ts'
import { logQueries } from './log-queries.ts'
import { presenceQueries } from './presence-queries.ts'

export const Query: QueryResolvers = {
  ...alertQueries,
  ...anomalyQueries,
  ...feedQueries,
  ...logQueries,
  ...presenceQueries,
}
