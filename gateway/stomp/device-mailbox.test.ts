import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createDeviceMailbox } from '../../subgraphs/shared/device-mailbox.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { serializePresenceValue } from '../../subgraphs/shared/presence-value.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { openDeviceMailbox } from './device-mailbox.ts'
import type { DoorMessage } from './door-ports.ts'

const logger = createLogger({ level: 'silent', role: 'test' })

let redis: TestRedis
beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(() => redis[Symbol.asyncDispose]())

async function openDoor() {
  const doorId = randomUUID()
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const mailbox = await openDeviceMailbox({ url: redis.liveUrl, doorId, logger, metrics })
  const received: DoorMessage[] = []
  mailbox.onMessage(message => received.push(message))
  return { doorId, received, metrics, [Symbol.asyncDispose]: () => mailbox[Symbol.asyncDispose]() }
}

const place = (deviceId: string, doorId: string, online = true) =>
  redis.live.set(
    redisKeys.devicePresence(deviceId),
    serializePresenceValue({ generation: 1, online, lastSeenAt: 1, doorId, spaceId: 'space' }),
  )

const error = (deviceId: string, n: number) =>
  ({ deviceId, queue: '/user/queue/errors', body: { n }, correlationId: `c${n}` }) as const

describe('the device mailbox', () => {
  it('brings messages to the doors of their devices, in order, in two round trips', async () => {
    await using first = await openDoor()
    await using second = await openDoor()
    await Promise.all([place('a', first.doorId), place('b', second.doorId), place('c', first.doorId, false)])
    redis.roundTrips.live.length = 0
    const mailbox = createDeviceMailbox({ redis: redis.live })
    await mailbox.send([error('a', 1), error('b', 2), error('c', 3), error('nobody', 4), error('a', 5)])
    expect(redis.roundTrips.live).toEqual([['mget'], ['publish', 'publish']])
    await waitFor(() => first.received.length === 2 && second.received.length === 1)
    expect(first.received).toEqual([
      { kind: 'queue', ...error('a', 1) },
      { kind: 'queue', ...error('a', 5) },
    ])
    expect(second.received).toEqual([{ kind: 'queue', ...error('b', 2) }])
  })

  it('leaves out what has another form, counts it, and goes on', async () => {
    await using door = await openDoor()
    const channel = redisKeys.doorMailbox(door.doorId)
    await redis.live.publish(channel, 'no JSON')
    await redis.live.publish(channel, '[{"kind":"later"}]')
    await redis.live.publish(channel, '[{"kind":"take-over","deviceId":"a","generation":3}]')
    await waitFor(() => door.received.length === 1)
    expect(door.received).toEqual([{ kind: 'take-over', deviceId: 'a', generation: 3 }])
    expect(await door.metrics.metrics()).toMatch(/messages_total\{kind="bad".*\} 2/)
  })

  it('subscribes again when its connection broke', async () => {
    await using door = await openDoor()
    const channel = redisKeys.doorMailbox(door.doorId)
    const db = new URL(redis.liveUrl).searchParams.get('db')
    const clients = String(await redis.live.client('LIST')).split('\n')
    const own = clients.find(line => line.includes('name=stomp-mailbox') && line.includes(` db=${db} `))
    await redis.live.client('KILL', 'ID', /id=(\d+)/.exec(own ?? '')?.[1] ?? '')
    await waitFor(async () => (await redis.live.publish(channel, '[]')) === 1)
    await redis.live.publish(channel, '[{"kind":"take-over","deviceId":"a","generation":3}]')
    await waitFor(() => door.received.length === 1)
  })

  it('rejects when Redis is away at the start, and loses messages quietly when it is away later', async () => {
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await expect(
      openDeviceMailbox({ url: '/nowhere.sock', doorId: 'door', logger, metrics, deadlineMs: 500 }),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await using client = openRedis({ url: redis.liveUrl, name: 'test-mailbox' })
    client.redis.disconnect()
    await createDeviceMailbox({ redis: client.redis }).send([error('a', 1)])
  })
})
