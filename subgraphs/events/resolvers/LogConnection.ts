import { MAX_COUNTED_LOGS } from '../log-repository.ts'
import type { LogConnectionResolvers } from '../resolver-types.generated.ts'

export const LogConnection: LogConnectionResolvers = {
  totalCount: async connection => Math.min(await connection.count(), MAX_COUNTED_LOGS),
  totalCountIsAtLeast: async connection => (await connection.count()) > MAX_COUNTED_LOGS,
}
