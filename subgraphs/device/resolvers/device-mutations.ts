import { refuse, toPayload } from '../../shared/graphql/refusal.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import { registerDevices } from '../device-registration.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'
import { requireRightAt } from '../right-at.ts'
import { MAX_REGISTERED_AT_ONCE } from '../topology-limits.ts'

/** Mutations of a space's devices and their credentials. */
export const deviceMutations = {
  async registerDevice(_, { input }, context) {
    const { spaceId, ...device } = input
    const { user } = await requireRight(context.access, context.viewer, spaceId, 'devices.change')
    const actor = { actorId: user.userId, spaceId }
    const { registered, userErrors } = await toPayload('registered', async () => {
      const [one] = await registerDevices(context, actor, [device], (_, field) => field)
      return one ?? null
    })
    return { device: registered?.device ?? null, credential: registered?.credential ?? null, userErrors }
  },

  async registerDevices(_, { input: { spaceId, devices } }, context) {
    const { user } = await requireRight(context.access, context.viewer, spaceId, 'devices.change')
    const actor = { actorId: user.userId, spaceId }
    return toPayload('registered', async () => {
      if (devices.length === 0 || devices.length > MAX_REGISTERED_AT_ONCE)
        refuse('BAD_USER_INPUT', 'devices', `devices has 1 to ${MAX_REGISTERED_AT_ONCE} devices.`)
      return registerDevices(context, actor, devices, (index, field) => `devices.${index}.${field}`)
    })
  },

  async updateDevice(_, { input }, context) {
    return toPayload('device', async () => {
      const actor = await requireRightAt(context, 'device', input.deviceId, 'devices.change')
      return context.devices.update(actor, input)
    })
  },

  async removeDevice(_, { input: { deviceId } }, context) {
    return toPayload('device', async () => {
      const actor = await requireRightAt(context, 'device', deviceId, 'devices.change')
      return context.devices.remove(actor, deviceId)
    })
  },

  async rotateDeviceCredential(_, { input }, context) {
    const { rotation, userErrors } = await toPayload('rotation', async () => {
      const actor = await requireRightAt(context, 'device', input.deviceId, 'devices.change')
      return context.deviceCredentials.rotate(actor, input)
    })
    return { ...(rotation ?? { device: null, credential: null, previousValidUntil: null }), userErrors }
  },

  async deviceToken(_, { input }, { deviceCredentials }) {
    const { signed, userErrors } = await toPayload('signed', () => deviceCredentials.issueToken(input))
    return { ...(signed ?? { token: null, expiresAt: null }), userErrors }
  },
} satisfies MutationResolvers
