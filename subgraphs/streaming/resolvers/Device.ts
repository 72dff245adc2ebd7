import type { DeviceResolvers } from '../resolver-types.generated.ts'

export const Device: DeviceResolvers = {
  async broadcast({ id, toldBroadcast }, _, { broadcastOf, requireReaderOf }) {
    await requireReaderOf(id)
    return toldBroadcast ?? broadcastOf.load(id)
  },
}
