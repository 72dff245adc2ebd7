import { z } from 'zod'
import { DEVICE_QUEUES } from './device-message.ts'

/** A message to a device on one of its queues, on its way to the door that holds its session. */
export const queueMessage = z.object({
  kind: z.literal('queue'),
  deviceId: z.string(),
  queue: z.enum(DEVICE_QUEUES),
  /** Any JSON. */
  body: z.unknown(),
  correlationId: z.string().optional(),
})

/** The news that a session of `generation` began at another door: older ones of the device end here. */
export const takeOverMessage = z.object({
  kind: z.literal('take-over'),
  deviceId: z.string(),
  generation: z.number(),
})

/** What travels on a door's channel (redisKeys.doorMailbox): a JSON array of these. */
export const doorMessages = z.array(z.discriminatedUnion('kind', [queueMessage, takeOverMessage]))

/** A message to a device, as its sender gives it. */
export type QueueMessage = Omit<z.infer<typeof queueMessage>, 'kind'>
