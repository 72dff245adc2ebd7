import type { PresenceEvent, StateEvent } from '../../../schema/live-event.ts'
import { AppError } from '../../shared/errors.ts'
import { withCursor } from '../../shared/graphql/event-cursor.ts'
import { mapAsyncIterator } from '../../shared/map-async-iterator.ts'
import { requireRole } from '../../shared/space-access.ts'
import type { SubgraphContext } from '../context.ts'
import type { DeviceParent } from '../model.ts'
import type { SubscriptionResolvers } from '../resolver-types.generated.ts'

/** Devices that one subscription may name. */
const MAX_DEVICE_IDS = 100

export const Subscription: SubscriptionResolvers = {
  deviceStateChanged: {
    async subscribe(_, { spaceId, deviceIds }, { viewer, access, liveReader }) {
      if (deviceIds != null && deviceIds.length > MAX_DEVICE_IDS)
        throw new AppError('BAD_USER_INPUT', `deviceIds names ${MAX_DEVICE_IDS} devices at most.`)
      await requireRole(access, viewer, spaceId, 'VIEWER')
      const wanted = deviceIds == null ? null : new Set(deviceIds)
      const deliveries = await liveReader.subscribe('state', spaceId)
      return mapAsyncIterator(deliveries, ({ event, cursor }) =>
        wanted === null || wanted.has(event.deviceId)
          ? withCursor({ deviceStateChanged: event }, cursor)
          : undefined,
      )
    },
    /** The message says what the event said, even when the device has reported again meanwhile. */
    resolve(
      { deviceStateChanged: event }: { deviceStateChanged: StateEvent },
      _: unknown,
      context: SubgraphContext,
    ) {
      const { status, metrics, at, deviceId } = event
      const state = { status, metrics, reportedAt: new Date(at) }
      context.readings.state.clear(deviceId).prime(deviceId, state)
      return getDevice(context, deviceId)
    },
  },

  devicePresenceChanged: {
    async subscribe(_, { spaceId }, { viewer, access, liveReader }) {
      await requireRole(access, viewer, spaceId, 'VIEWER')
      const deliveries = await liveReader.subscribe('presence', spaceId)
      return mapAsyncIterator(deliveries, ({ event, cursor }) =>
        withCursor({ devicePresenceChanged: event }, cursor),
      )
    },
    resolve(
      { devicePresenceChanged: event }: { devicePresenceChanged: PresenceEvent },
      _: unknown,
      context: SubgraphContext,
    ) {
      const { online, at, deviceId } = event
      context.readings.presence.clear(deviceId).prime(deviceId, { online, lastSeenAt: new Date(at) })
      return getDevice(context, deviceId)
    },
  },
}

async function getDevice({ loaders }: SubgraphContext, id: string): Promise<DeviceParent> {
  const device = await loaders.deviceById.load(id)
  if (device === null) throw new AppError('NOT_FOUND', 'This device is gone.')
  return device
}
