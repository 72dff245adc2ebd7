import { requireUser } from '../../shared/auth/viewer.ts'
import { refuse, toPayload } from '../../shared/graphql/refusal.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { isUuidV7 } from '../../shared/uuid-v7.ts'
import { findInvitation } from '../invitation-repository.ts'
import { NO_INVITATION } from '../invitations.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** Mutations of the members of spaces. */
export const memberMutations = {
  async transferOwnership(_, { input }, { viewer, access, members }) {
    const { user } = await requireRight(access, viewer, input.spaceId, 'space.hand-over')
    return toPayload('space', () => members.transferOwnership(user.userId, input))
  },

  async inviteMember(_, { input }, { viewer, access, invitations }) {
    const { user } = await requireRight(access, viewer, input.spaceId, 'members.invite')
    return toPayload('invitation', () => invitations.invite(user.userId, input))
  },

  async revokeInvitation(_, { input: { invitationId } }, { viewer, access, db, invitations }) {
    const { userId } = requireUser(viewer)
    const found = isUuidV7(invitationId) ? await findInvitation(db, invitationId) : undefined
    const isKnown = found !== undefined && (await access.roleOf(userId, found.spaceId)) !== null
    if (!isKnown)
      return toPayload('invitation', async () => refuse('NOT_FOUND', 'invitationId', NO_INVITATION))
    await requireRight(access, viewer, found.spaceId, 'members.invite')
    return toPayload('invitation', () => invitations.revoke(userId, found))
  },

  async acceptInvitation(_, { input: { token } }, { viewer, invitations }) {
    const { userId } = requireUser(viewer)
    return toPayload('space', () => invitations.accept(userId, token))
  },

  async updateMemberRole(_, { input }, { viewer, access, members }) {
    const { userId } = requireUser(viewer)
    const right = input.userId === userId ? 'space.read' : 'members.change'
    await requireRight(access, viewer, input.spaceId, right)
    return toPayload('membership', () => members.updateRole(userId, input))
  },

  async removeMember(_, { input }, { viewer, access, members }) {
    const { userId } = requireUser(viewer)
    const right = input.userId === userId ? 'space.read' : 'members.change'
    await requireRight(access, viewer, input.spaceId, right)
    return toPayload('membership', () => members.remove(userId, input))
  },
} satisfies MutationResolvers
