import { toPayload } from '../../shared/graphql/refusal.ts'
import type { MutationResolvers } from '../resolver-types.generated.ts'

/** Mutations that start and stop broadcasts. */
export const broadcastMutations = {
  async startBroadcast(_, { input }, { viewer, getDevice, broadcasts }) {
    const { deviceId, ...wish } = input
    const { started, userErrors } = await toPayload('started', async () => {
      const device = await getDevice(deviceId, 'broadcast.control', true)
      return broadcasts.start(device.deviceId, wish, viewer?.kind === 'device')
    })
    return { broadcast: started?.broadcast ?? null, ingest: started?.ingest ?? null, userErrors }
  },

  async stopBroadcast(_, { input }, { getDevice, broadcasts }) {
    return toPayload('broadcast', async () => {
      const { deviceId } = await getDevice(input.deviceId, 'broadcast.control', true)
      return broadcasts.stop(deviceId)
    })
  },
} satisfies MutationResolvers
