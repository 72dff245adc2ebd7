import { AppError } from '../../shared/errors.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import type { DeviceResolvers } from '../resolver-types.generated.ts'
import { loadStateHistory } from '../state-history.ts'

export const Device: DeviceResolvers = {
  /** Also one that has been removed: what it logged still says whose it was. */
  async __resolveReference({ id }, { loaders, canReadDevice }) {
    const device = isUuidV7(id) ? await loaders.deviceById.load(id) : null
    return device !== null && (await canReadDevice(device)) ? device : null
  },

  async space({ spaceId }, _, { loaders }) {
    const space = await loaders.spaceById.load(spaceId)
    if (space === null) throw new AppError('NOT_FOUND', 'The space of this device is gone.')
    return space
  },

  line: async ({ lineId }, _, { loaders }) => (lineId === null ? null : loaders.lineById.load(lineId)),

  process: async ({ processId }, _, { loaders }) =>
    processId === null ? null : loaders.processById.load(processId),

  online: async ({ id }, _, { readings }) => (await readings.presence.load(id)).online,
  lastSeenAt: async ({ id }, _, { readings }) => (await readings.presence.load(id)).lastSeenAt,
  broadcasting: ({ id }, _, { readings }) => readings.broadcasting.load(id),
  state: ({ id }, _, { readings }) => readings.state.load(id),
  connectivity: ({ id }, _, { readings }) => readings.connectivity.load(id),
  stateHistory: ({ id }, args, { readings }) => loadStateHistory(readings.stateHistory, id, args),
}
