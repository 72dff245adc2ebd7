import { requireRight } from '../../shared/permissions/rights-table.ts'
import { registerDevice } from '../device-registration.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** Mutations of a space's devices. */
export const deviceMutations = {
  async registerDevice(_, { input }, { viewer, access, db, topologyChanges }) {
    const { user } = await requireRight(access, viewer, input.spaceId, 'devices.change')
    const registration = await registerDevice(db, user.userId, input)
    const { device } = registration
    if (device !== null)
      await topologyChanges.publish({ kind: 'device', spaceId: device.spaceId, ids: [device.id] })
    return registration
  },
} satisfies MutationResolvers
