import { AppError } from '../subgraphs/shared/errors.ts'
import type { MediaPort } from '../subgraphs/shared/media-port.ts'

/** Stands in for media where it cannot run: whatever asks of it throws UNAVAILABLE, with `message`; nothing is there to end. */
export function createMediaOff(message: string): MediaPort {
  const refuse = async () => {
    throw new AppError('UNAVAILABLE', message)
  }
  return {
    openBroadcast: refuse,
    closeBroadcast: async () => {},
    findBroadcast: refuse,
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
