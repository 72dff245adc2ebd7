import type { BroadcastDesk } from '../../subgraphs/shared/broadcast-desk.ts'
import type { DeviceCallHandlers } from './device-calls.ts'

/** Lets devices start and stop their broadcast by messages: what the mutations of the same names answer. */
export function createBroadcastCalls(desk: BroadcastDesk) {
  return {
    '/app/broadcast/start': ({ deviceId, spaceId }, wish) => desk.start({ deviceId, spaceId }, wish),
    '/app/broadcast/stop': ({ deviceId, spaceId }) => desk.stop({ deviceId, spaceId }),
  } satisfies DeviceCallHandlers
}
