import { requireUser, type Viewer } from '../../shared/auth/viewer.ts'
import { AppError } from '../../shared/errors.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { loadDevicePage } from '../device-page.ts'
import { loadInvitationPage, loadMemberPage } from '../member-page.ts'
import type { SpaceParent } from '../model.ts'
import type { SpaceResolvers } from '../resolver-types.generated.ts'

/** Devices of one page: a dashboard shows so many at once. */
const MAX_DEVICES = 1_000

/**
 * Whoever got hold of a space is a member, or a device of it: that sees no more than the space itself. So does the owner
 * of a deleted one.
 */
export const Space: SpaceResolvers = {
  __resolveReference: async ({ id }, { loaders, canReadSpace }) =>
    isUuidV7(id) && (await canReadSpace(id)) ? loaders.spaceById.load(id) : null,

  viewerRole: async ({ id }, _, { viewer, access }) =>
    viewer?.kind === 'user' ? access.roleOf(viewer.userId, id) : null,

  async lines(space, _, { viewer, loaders }) {
    return loaders.linesOfSpace.load(openFor(viewer, space))
  },

  async processes(space, _, { viewer, loaders }) {
    return loaders.processesOfSpace.load(openFor(viewer, space))
  },

  async devices(space, args, { viewer, loaders }) {
    const id = openFor(viewer, space)
    return loadDevicePage(loaders, { of: 'space', id, spaceId: id }, args, MAX_DEVICES)
  },

  async deviceCounts(space, _, { viewer, loaders }) {
    return loaders.deviceCounts.load(openFor(viewer, space))
  },

  async members(space, args, { viewer, memberLoaders }) {
    return loadMemberPage(memberLoaders, openFor(viewer, space), args)
  },

  async invitations({ id }, args, { viewer, access, memberLoaders }) {
    await requireRight(access, viewer, id, 'invitations.read')
    return loadInvitationPage(memberLoaders, id, args)
  },
}

/** Returns the space's id when what is in it is for the viewer to see. */
function openFor(viewer: Viewer | null, { id, deletedAt }: SpaceParent): string {
  requireUser(viewer)
  if (deletedAt !== null) throw new AppError('NOT_FOUND', 'This space is deleted: restore it first.')
  return id
}
