import DataLoader from 'dataloader'
import type { Viewer } from '../shared/auth/viewer.ts'
import type { DeviceDirectory } from '../shared/device-directory.ts'
import { AppError } from '../shared/errors.ts'
import { refuse } from '../shared/graphql/refusal.ts'
import type { SubgraphRequest } from '../shared/graphql/subgraph.ts'
import type { LiveReader, StreamStart } from '../shared/live-topic/live-topics.ts'
import type { MediaPort } from '../shared/media-port.ts'
import { checkRight, NO_SPACE, type Right } from '../shared/permissions/rights-table.ts'
import { grantedAccess, type SpaceAccess } from '../shared/space-access.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'
import type { BroadcastStates, KeptBroadcast } from './broadcast-states.ts'
import type { Broadcasts } from './broadcasts.ts'
import type { MediaFeed } from './media-feed.ts'
import type { SeenDevice, SessionDesk } from './session-desk.ts'
import type { SessionKeeper } from './session-keeper.ts'

/** What lives as long as the subgraph. */
export interface StreamingServices {
  readonly access: SpaceAccess
  readonly devices: DeviceDirectory
  readonly liveReader: Pick<LiveReader, 'subscribe'>
  readonly media: MediaPort
  readonly feed: MediaFeed
  readonly states: BroadcastStates
  readonly broadcasts: Broadcasts
  readonly desk: SessionDesk
  readonly keeper: SessionKeeper
}

/** What resolvers get: who asks, and batches of this one request. */
export interface SubgraphContext extends StreamingServices {
  readonly viewer: Viewer | null
  /** Where a subscription begins. */
  readonly start: StreamStart | undefined
  readonly broadcastOf: DataLoader<string, KeptBroadcast | null>
  /** Returns who asks. Throws UNAUTHENTICATED when nobody does. */
  requireViewer(): Viewer
  /**
   * Finds a device of the input that the caller has a right to; the device itself has it too where `isForItself`. What the
   * caller cannot see is refused as NOT_FOUND. Throws UNAUTHENTICATED, and FORBIDDEN when the role is too small.
   */
  getDevice(deviceId: string, right: Right, isForItself: boolean): Promise<SeenDevice>
  /** Resolves when the caller may see a device's broadcast. Rejects as checkRight does. */
  requireReaderOf(deviceId: string): Promise<void>
}

/** Creates the context of one request. */
export function createStreamingContext(
  services: StreamingServices,
  request: SubgraphRequest,
): SubgraphContext {
  const { viewer, start } = request
  const { devices, states } = services
  const access = grantedAccess(services.access, request)
  const broadcastOf = new DataLoader<string, KeptBroadcast | null>(ids => states.load(ids), {
    maxBatchSize: 1_000,
  })

  function requireViewer(): Viewer {
    if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Sign in first.')
    return viewer
  }

  async function spaceOf(deviceId: string): Promise<string | undefined> {
    if (!isUuidV7(deviceId)) return undefined
    return (await devices.placesOf([deviceId])).get(deviceId)?.spaceId
  }

  return {
    ...services,
    access,
    viewer,
    start,
    broadcastOf,
    requireViewer,
    async getDevice(deviceId, right, isForItself) {
      const who = requireViewer()
      if (who.kind === 'device') {
        if (!isForItself) throw new AppError('FORBIDDEN', 'Only people may do this.')
        if (who.deviceId === deviceId) return { deviceId, spaceId: who.spaceId }
      }
      const spaceId = who.kind === 'device' ? undefined : await spaceOf(deviceId)
      const role =
        spaceId === undefined || who.kind === 'device' ? null : await access.roleOf(who.userId, spaceId)
      if (spaceId === undefined || role === null)
        return refuse('NOT_FOUND', 'deviceId', 'There is no such device.')
      checkRight(role, right)
      return { deviceId, spaceId }
    },
    async requireReaderOf(deviceId) {
      const who = requireViewer()
      if (who.kind === 'device' && who.deviceId === deviceId) return
      if (who.kind === 'device') throw new AppError('FORBIDDEN', 'A device sees its own broadcast alone.')
      const spaceId = await spaceOf(deviceId)
      if (spaceId === undefined) throw new AppError('NOT_FOUND', NO_SPACE)
      checkRight(await access.roleOf(who.userId, spaceId), 'space.read')
    },
  }
}
