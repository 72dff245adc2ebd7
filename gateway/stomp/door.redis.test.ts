import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IngestItem, shardOf } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { type DoorBacking, openDoorBacking } from './door-backing.ts'
import { type DoorFixture, type FixtureDevice, startDoor } from './door-fixture.ts'
import { openRawClient } from './raw-client.ts'

/** Two doors of one site, each with what it stands on in the real thing. */
let redis: TestRedis
const backings: DoorBacking[] = []
const doors: DoorFixture[] = []

async function openDoor(): Promise<DoorFixture> {
  const { liveUrl, ingestUrl } = redis
  const options = { liveUrl, ingestUrl, logger: pino({ enabled: false }), metrics: new Registry() }
  const backing = await openDoorBacking({ ...options, presenceIntervalMs: 50 })
  backings.push(backing)
  const { appender, presence, mailbox, pressure } = backing
  const door = await startDoor({ appender, presence, mailbox, pressure })
  doors.push(door)
  return door
}

beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(async () => {
  for (const door of doors) await door[Symbol.asyncDispose]()
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
