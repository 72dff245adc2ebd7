import { Counter } from 'prom-client'
import { doorMessages } from '../../schema/door-message.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { withDeadline } from '../../subgraphs/shared/deadline.ts'
import { toAppError } from '../../subgraphs/shared/errors.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import type { DeviceMailboxReader, DoorMessage } from './door-ports.ts'

/** How often the subscribed connection is tried. */
const PING_INTERVAL_MS = 5_000

/** The receiving side of a door's mailbox. Dispose ends the subscription and its connection. */
export interface OpenDeviceMailbox extends DeviceMailboxReader {
  /** Delivers a message that this process has found out by itself. */
  deliver(message: DoorMessage): void
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Subscribes to the channel of a door with a connection of its own; subscribes again by itself when that breaks.
 * What is sent meanwhile is lost (a mailbox is best effort). Rejects with UNAVAILABLE when Redis does not take the
 * first subscription within `deadlineMs` (default 5 s).
 */
export async function openDeviceMailbox({
  url,
  doorId,
  logger,
  metrics,
  deadlineMs = 5_000,
}: {
  /** Of the live Redis. */
  url: string
  doorId: string
  logger: Logger
  metrics: Metrics
  deadlineMs?: number
}): Promise<OpenDeviceMailbox> {
  const messages = new Counter({
    name: 'nuvion_door_mailbox_messages_total',
    help: 'Messages that came for devices of this door, take-overs too; bad are those of another form. Bad ones rising means doors of different versions.',
    labelNames: ['kind'] as const,
    registers: [metrics],
  })
  let deliver: ((message: DoorMessage) => void) | undefined
  const client = openRedis({
    url,
    name: 'stomp-mailbox',
    onError: error => logger.warn({ err: error }, 'door_mailbox.connection_failed'),
  })

  function receive(text: string): void {
    let received: DoorMessage[]
    try {
      received = doorMessages.parse(JSON.parse(text))
    } catch (error) {
      messages.inc({ kind: 'bad' })
      logger.warn({ err: error }, 'door_mailbox.bad_message')
      return
    }
    for (const message of received) {
      messages.inc({ kind: message.kind })
      deliver?.(message)
    }
  }

  client.redis.on('message', (_channel: string, text: string) => receive(text))
  try {
    await withDeadline('The mailbox of the door', deadlineMs, () =>
      client.redis.subscribe(redisKeys.doorMailbox(doorId)),
    )
  } catch (error) {
    await client[Symbol.asyncDispose]()
    throw toAppError(error)
  }

  // A subscriber only listens: without a question now and then it would not see that the server is gone.
  const pings = setInterval(() => client.redis.ping().catch(() => {}), PING_INTERVAL_MS)

  return {
    onMessage(listener) {
      deliver = listener
    },
    deliver: message => deliver?.(message),
    async [Symbol.asyncDispose]() {
      clearInterval(pings)
      await client[Symbol.asyncDispose]()
    },
  }
}
