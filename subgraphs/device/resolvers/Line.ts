import { requireUser } from '../../shared/auth/viewer.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { loadDevicePage } from '../device-page.ts'
import type { LineResolvers } from '../resolver-types.generated.ts'

export const Line: LineResolvers = {
  async __resolveReference({ id }, { loaders, canReadSpace }) {
    const line = isUuidV7(id) ? await loaders.lineById.load(id) : null
    return line !== null && (await canReadSpace(line.spaceId)) ? line : null
  },

  async processes(line, _, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.processesOfLine.load(line)
  },

  async devices({ id, spaceId }, args, { viewer, loaders }) {
    requireUser(viewer)
    return loadDevicePage(loaders, { of: 'line', id, spaceId }, args)
  },
}
