import { requireUser } from '../../shared/auth/viewer.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { loadDevicePage } from '../device-page.ts'
import type { ProcessResolvers } from '../resolver-types.generated.ts'

export const Process: ProcessResolvers = {
  async __resolveReference({ id }, { loaders, canReadSpace }) {
    const process = isUuidV7(id) ? await loaders.processById.load(id) : null
    return process !== null && (await canReadSpace(process.spaceId)) ? process : null
  },

  line: async ({ lineId }, _, { loaders }) => (lineId === null ? null : loaders.lineById.load(lineId)),

  async devices({ id, spaceId }, args, { viewer, loaders }) {
    requireUser(viewer)
    return loadDevicePage(loaders, { of: 'process', id, spaceId }, args)
  },
}
