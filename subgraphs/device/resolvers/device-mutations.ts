import { requireRole } from '../../shared/space-access.ts'
import { registerDevice } from '../device-registration.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** Mutations of a space's devices. */
export const deviceMutations = {
  async registerDevice(_, { input }, { viewer, access, db }) {
    await requireRole(access, viewer, input.spaceId, 'ADMIN')
    return registerDevice(db, input)
  },
} satisfies MutationResolvers
