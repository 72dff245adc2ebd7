import { AppError } from '../subgraphs/shared/errors.ts'
import type { MediaPort } from '../subgraphs/shared/media-port.ts'

/** Stands in for media where it cannot run: every call that would need it throws UNAVAILABLE, with `message`. */
export function createMediaOff(message: string): MediaPort {
  const refuse = async () => {
    throw new AppError('UNAVAILABLE', message)
  }
  return {
    openBroadcast: refuse,
    closeBroadcast: async () => {},
    findBroadcast: async () => null,
    join: refuse,
    publish: refuse,
    connect: refuse,
    produce: refuse,
    consume: refuse,
    resumeConsumer: refuse,
    pauseConsumer: refuse,
    setPreferredLayers: refuse,
    restartIce: refuse,
    leave: async () => {},
    snapshotSession: refuse,
    listen(listener) {
      listener({ type: 'Snapshot', nodeId: 'off', broadcasts: [], sessions: [] })
      return () => {}
    },
  }
}
