import { requireRight } from '../../shared/permissions/rights-table.ts'
import { registerDevice } from '../device-registration.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** Mutations of a space's devices. */
export const deviceMutations = {
  async registerDevice(_, { input }, { viewer, access, db }) {
    const { user } = await requireRight(access, viewer, input.spaceId, 'devices.change')
    return registerDevice(db, user.userId, input)
  },
} satisfies MutationResolvers
