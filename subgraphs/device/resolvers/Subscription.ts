import type { PresenceEvent, StateEvent } from '../../../schema/live-event.ts'
import { AppError } from '../../shared/errors.ts'
import { followTopic } from '../../shared/graphql/follow-topic.ts'
import { requireRight } from '../../shared/permissions/rights-table.ts'
import type { SubgraphContext } from '../context.ts'
import type { DeviceParent } from '../model.ts'
import type { SubscriptionResolvers } from '../resolver-types.generated.ts'

/** Devices that one subscription may name. */
const MAX_DEVICE_IDS = 100

export const Subscription: SubscriptionResolvers = {
  deviceStateChanged: {
    async subscribe(_, { spaceId, deviceIds }, { viewer, access, liveReader, start }) {
      if (deviceIds != null && deviceIds.length > MAX_DEVICE_IDS)
        throw new AppError('BAD_USER_INPUT', `deviceIds names ${MAX_DEVICE_IDS} devices at most.`)
      await requireRight(access, viewer, spaceId, 'space.read')
      const wanted = deviceIds == null ? null : new Set(deviceIds)
      return followTopic(liveReader, 'state', spaceId, start, event =>
        wanted === null || wanted.has(event.deviceId) ? { deviceStateChanged: event } : undefined,
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
    async subscribe(_, { spaceId }, { viewer, access, liveReader, start }) {
      await requireRight(access, viewer, spaceId, 'space.read')
      return followTopic(liveReader, 'presence', spaceId, start, event => ({ devicePresenceChanged: event }))
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
