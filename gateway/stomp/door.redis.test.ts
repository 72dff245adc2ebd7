import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IngestItem, shardOf } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Closable } from '../../subgraphs/shared/lifecycle.ts'
import { createLivePublisher } from '../../subgraphs/shared/live-topic/live-publisher.ts'
import { startLiveReader } from '../../subgraphs/shared/live-topic/live-reader.ts'
import { startRightsWatch } from '../../subgraphs/shared/permissions/rights-watch.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type DoorBacking, openDoorBacking } from './door-backing.ts'
import { type DoorFixture, type FixtureDevice, startDoor } from './door-fixture.ts'
import { openRawClient } from './raw-client.ts'

/** Two doors of one site, each with what it stands on in the real thing. */
let redis: TestRedis
const backings: DoorBacking[] = []
const doors: DoorFixture[] = []

const closables: Closable[] = []

async function openDoor(): Promise<DoorFixture> {
  const { liveUrl, ingestUrl } = redis
  const options = { liveUrl, ingestUrl, logger: pino({ enabled: false }), metrics: new Registry() }
  const backing = await openDoorBacking({ ...options, presenceIntervalMs: 50 })
  backings.push(backing)
  const { appender, presence, mailbox, pressure } = backing
  const liveReader = startLiveReader({ url: liveUrl, redis: redis.live, logger: options.logger })
  const watch = startRightsWatch({ liveReader, access: { flush() {} }, logger: options.logger })
  closables.push(liveReader, watch)
  // Told once at the start, when the topic is followed.
  await new Promise<void>(resolve => watch.onChange(({ kind }) => kind === 'unknown' && resolve()))
  const door = await startDoor({ appender, presence, mailbox, pressure, watch })
  doors.push(door)
  return door
}

beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(async () => {
  for (const door of doors) await door[Symbol.asyncDispose]()
  for (const closable of closables.reverse()) await closable[Symbol.asyncDispose]()
  for (const backing of backings) await backing[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

async function loggedItems({ deviceId }: FixtureDevice): Promise<IngestItem[]> {
  const entries = await redis.ingest.xrange(redisKeys.ingestLog(shardOf(deviceId)), '-', '+')
  const items = entries.flatMap(([, fields]) => JSON.parse(fields[1] ?? '[]') as IngestItem[])
  return items.filter(item => item.deviceId === deviceId)
}

it('a RECEIPT means that the item is in the ingest log; a newer session elsewhere takes over without an offline', async () => {
  const [first, second] = [await openDoor(), await openDoor()]
  const device = first.addDevice()
  second.addDevice(device)
  using older = await openRawClient(first.wsUrl)
  await older.connect(device)
  older.send(
    '/app/log',
    [
      { level: 'INFO', message: 'a' },
      { level: 'WARN', message: 'b' },
    ],
    { receipt: 'r' },
  )
  expect((await older.next()).headers['receipt-id']).toBe('r')
  const logs = (await loggedItems(device)).filter(item => item.kind === 'log')
  expect(logs).toMatchObject([{ message: 'a' }, { message: 'b' }])

  const newer = await openRawClient(second.wsUrl)
  expect((await newer.connect(device)).command).toBe('CONNECTED')
  expect(await older.next()).toMatchObject({ command: 'ERROR', headers: { code: 'CONFLICT' } })
  await older.closed
  newer.frame('DISCONNECT', { receipt: 'bye' })
  await newer.closed
  // Two doors may append a copy each of a transition: the same id, of which ingest takes one.
  const presence = async () => {
    const items = (await loggedItems(device)).filter(item => item.kind === 'presence')
    return [...new Map(items.map(({ id, online }) => [id, online])).values()]
  }
  await expect.poll(presence, { timeout: 8_000, interval: 20 }).toEqual([true, false])
})

it('a revoked credential ends the sessions of its device at every door within a second', async () => {
  const all = [await openDoor(), await openDoor(), await openDoor()]
  const publisher = createLivePublisher({ redis: redis.live })
  const held = await Promise.all(
    all.map(async door => {
      const client = await openRawClient(door.wsUrl)
      const device = door.addDevice()
      await client.connect(device)
      return { client, device, spaceId: door.spaceId }
    }),
  )
  const startedAt = performance.now()
  await publisher.publish(
    'revocation',
    held.map(({ device, spaceId }) => ({
      kind: 'credential-revoked' as const,
      deviceId: device.deviceId,
      spaceId,
    })),
  )
  for (const { client } of held) {
    expect(await client.next()).toMatchObject({ command: 'ERROR', headers: { code: 'UNAUTHENTICATED' } })
    expect((await client.closed).code).toBe(4401)
  }
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
