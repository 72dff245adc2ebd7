import type { QueryResolvers } from '../resolver-types.generated.ts'
import { logQueries } from './log-queries.ts'

export const Query: QueryResolvers = {
  ...logQueries,
}
