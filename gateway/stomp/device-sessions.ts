import type { DeviceIdentity } from '../../subgraphs/shared/device-directory.ts'
import type { PresenceRegistry } from './door-ports.ts'
import type { StompSession } from './session.ts'

/** Which session of this door is a device's; one at a time, the newest. */
export interface DeviceSessions {
  readonly size: number
  find(deviceId: string): StompSession | undefined
  /** Begins presence for the session and makes it the device's; an older session here is taken over. */
  begin(session: StompSession, device: DeviceIdentity, toleranceMs: number): Promise<number>
  /** A session of `generation` began elsewhere. */
  takeOver(deviceId: string, generation: number): void
  /** The session is over; answers which device's it was, undefined when it never became one's. */
  remove(session: StompSession): DeviceClaim | undefined
}

/** A session's place among the sessions of its device. */
export interface DeviceClaim {
  readonly deviceId: string
  readonly generation: number
}

/** Creates the table of device sessions of a door. `disconnect` takes back a presence that nobody waits for now. */
export function createDeviceSessions({
  presence,
  now,
  disconnect,
}: {
  presence: PresenceRegistry
  now: () => number
  disconnect: (deviceId: string, generation: number, at: number) => void
}): DeviceSessions {
  const byDevice = new Map<string, { session: StompSession; generation: number }>()
  const claims = new Map<StompSession, DeviceClaim>()
  /** While a device's connect is under way: how many are, and the newest generation known of elsewhere. */
  const beginning = new Map<string, { count: number; newest: number }>()

  function claim(session: StompSession, deviceId: string, generation: number, newest: number): void {
    const existing = byDevice.get(deviceId)
    if (newest > generation || (existing !== undefined && existing.generation > generation)) {
      session.takeOver()
      return
    }
    byDevice.set(deviceId, { session, generation })
    claims.set(session, { deviceId, generation })
    existing?.session.takeOver()
  }

  return {
    get size() {
      return byDevice.size
    },
    find: deviceId => byDevice.get(deviceId)?.session,

    async begin(session, device, toleranceMs) {
      const { deviceId } = device
      const entry = beginning.get(deviceId) ?? { count: 0, newest: 0 }
      entry.count++
      beginning.set(deviceId, entry)
      try {
        const { generation } = await presence.connect(device, now(), toleranceMs)
        if (session.isClosed) disconnect(deviceId, generation, session.lastSignAt)
        else claim(session, deviceId, generation, entry.newest)
        return generation
      } finally {
        entry.count--
        if (entry.count === 0) beginning.delete(deviceId)
      }
    },

    takeOver(deviceId, generation) {
      const entry = beginning.get(deviceId)
      if (entry !== undefined) entry.newest = Math.max(entry.newest, generation)
      const current = byDevice.get(deviceId)
      if (current !== undefined && current.generation < generation) current.session.takeOver()
    },

    remove(session) {
      const claimed = claims.get(session)
      if (claimed === undefined) return undefined
      claims.delete(session)
      if (byDevice.get(claimed.deviceId)?.session === session) byDevice.delete(claimed.deviceId)
      return claimed
    },
  }
}
