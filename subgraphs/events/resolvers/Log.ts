import { timeOfId } from '../../shared/uuid-v7.ts'
import type { LogResolvers } from '../resolver-types.generated.ts'

export const Log: LogResolvers = {
  __resolveReference: async ({ id }, { findLog }) => findLog(id),
  occurredAt: ({ id }) => new Date(timeOfId(id)),
  receivedAt: ({ receivedAt }) => new Date(receivedAt),
  device: ({ deviceId }) => ({ id: deviceId }),
  line: ({ lineId }) => (lineId === null ? null : { id: lineId }),
  process: ({ processId }) => (processId === null ? null : { id: processId }),
}
