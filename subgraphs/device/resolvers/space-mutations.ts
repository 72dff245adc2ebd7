import { requireUser } from '../../shared/auth/viewer.ts'
import { toPayload } from '../../shared/graphql/refusal.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'
import { rightOfEdit } from '../space-edit.ts'

/** Mutations of spaces. */
export const spaceMutations = {
  async createSpace(_, { input }, { viewer, spaces }) {
    const { userId } = requireUser(viewer)
    return toPayload('space', () => spaces.create(userId, input))
  },

  async updateSpace(_, { input }, { viewer, access, spaces }) {
    const { user } = await requireRight(access, viewer, input.spaceId, rightOfEdit(input))
    return toPayload('space', () => spaces.update(user.userId, input))
  },

  async deleteSpace(_, { input: { spaceId } }, { viewer, access, spaces }) {
    const { user } = await requireRight(access, viewer, spaceId, 'space.delete')
    return toPayload('space', () => spaces.delete(user.userId, spaceId))
  },

  /** In a deleted space nobody has a role: the rows say whose it is. */
  async restoreSpace(_, { input: { spaceId } }, { viewer, spaces }) {
    const { userId } = requireUser(viewer)
    return toPayload('space', () => spaces.restore(userId, spaceId))
  },
} satisfies MutationResolvers
