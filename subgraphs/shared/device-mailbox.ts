import type { Redis } from 'ioredis'
import type { QueueMessage } from '../../schema/door-message.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Logger } from './logger.ts'
import { parsePresenceValue } from './presence-value.ts'

/** Sends messages to devices, whichever door holds their sessions. */
export interface DeviceMailbox {
  /**
   * Publishes messages to the doors of their devices, in order per device: one MGET, then one pipeline. Best effort:
   * a device that is offline or just moving to another door gets nothing, and nothing is sent twice. Never rejects:
   * when Redis is away the messages are lost, which is logged.
   */
  send(messages: readonly QueueMessage[]): Promise<void>
}

/** Creates the sending side of the doors' mailboxes on the live Redis. */
export function createDeviceMailbox({ redis, logger }: { redis: Redis; logger?: Logger }): DeviceMailbox {
  return {
    async send(messages) {
      if (messages.length === 0) return
      try {
        const doors = await findDoors(redis, [...new Set(messages.map(({ deviceId }) => deviceId))])
        const byDoor = Map.groupBy(messages, ({ deviceId }) => doors.get(deviceId))
        const pipeline = redis.pipeline()
        for (const [doorId, group] of byDoor) {
          if (doorId === undefined) continue
          const wire = group.map(({ deviceId, queue, body, correlationId }) => ({
            ...{ kind: 'queue', deviceId, queue, body, correlationId },
          }))
          pipeline.publish(redisKeys.doorMailbox(doorId), JSON.stringify(wire))
        }
        if (pipeline.length > 0) await pipeline.exec()
      } catch (error) {
        logger?.warn({ err: error, messages: messages.length }, 'device_mailbox.send_failed')
      }
    },
  }
}

/** Doors of the devices that are online. */
async function findDoors(redis: Redis, deviceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const values = await redis.mget(deviceIds.map(redisKeys.devicePresence))
  const doors = new Map<string, string>()
  for (const [index, deviceId] of deviceIds.entries()) {
    const presence = parsePresenceValue(values[index])
    if (presence?.online) doors.set(deviceId, presence.doorId)
  }
  return doors
}
