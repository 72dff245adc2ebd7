import { requireUser } from '../../shared/auth/viewer.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { loadDevicePage } from '../device-page.ts'
import type { SpaceResolvers } from '../resolver-types.generated.ts'

/** Whoever got hold of a space is a member, or a device of it: that sees no more than the space itself. */
export const Space: SpaceResolvers = {
  __resolveReference: async ({ id }, { loaders, canReadSpace }) =>
    isUuidV7(id) && (await canReadSpace(id)) ? loaders.spaceById.load(id) : null,

  viewerRole: async ({ id }, _, { viewer, access }) =>
    viewer?.kind === 'user' ? access.roleOf(viewer.userId, id) : null,

  async lines({ id }, _, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.linesOfSpace.load(id)
  },

  async processes({ id }, _, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.processesOfSpace.load(id)
  },

  async devices({ id }, { filter, ...args }, { viewer, loaders }) {
    requireUser(viewer)
    return loadDevicePage(loaders, { of: 'space', id }, args, filter)
  },

  async deviceCounts({ id }, _, { viewer, loaders }) {
    requireUser(viewer)
    return loaders.deviceCounts.load(id)
  },
}
