import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { openDoorBacking } from './door-backing.ts'
import type { DoorMessage } from './door-ports.ts'
import { readPresence, readTransitions, silentLogger } from './presence-fixture.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await openTestRedis()
})
afterAll(() => redis[Symbol.asyncDispose]())

const openBacking = (
  liveUrl = redis.liveUrl,
  metrics = createMetrics({ group: 'test', withDefaults: false }),
) =>
  openDoorBacking({
    ...{ liveUrl, ingestUrl: redis.ingestUrl, logger: silentLogger, presenceIntervalMs: 20, metrics },
  })

const device = { deviceId: 'd', spaceId: 'space', expiresAt: null }
const onlines = async () => (await readTransitions(redis.ingest, 'd')).map(({ online }) => online)

describe('the backing of a door', () => {
  it('carries a session from its CONNECT over a take-over by another door to its end in the log', async () => {
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    const heldByFirst = async () =>
      (await metrics.getSingleMetric('nuvion_presence_sessions')?.get())?.values[0]?.value
    await using first = await openBacking(redis.liveUrl, metrics)
    const second = await openBacking()
    const received: DoorMessage[] = []
    first.mailbox.onMessage(message => received.push(message))
    await first.presence.connect(device, Date.now(), 10_000)
    await waitFor(async () => (await onlines()).length === 1)
    expect(await heldByFirst()).toBe(1)
    const { generation } = await second.presence.connect(device, Date.now(), 10_000)
    await waitFor(() => received.length > 0)
    expect(received).toEqual([{ kind: 'take-over', deviceId: 'd', generation }])
    expect(await heldByFirst()).toBe(0)
    expect(second.pressure.isHigh).toBe(false)
    await second.presence.disconnect('d', generation, Date.now())
    await second[Symbol.asyncDispose]()
    expect(await onlines()).toEqual([true, false])
    expect(await readPresence(redis.live, 'd')).toMatchObject({ online: false, doorId: second.doorId })
  })

  it('sweeps by the clock of Redis', async () => {
    await using backing = await openBacking()
    await backing.presence.connect({ ...device, deviceId: 'silent' }, Date.now(), 1)
    await waitFor(async () => (await readPresence(redis.live, 'silent'))?.online === false)
  })

  it('rejects when the live Redis is away', async () => {
    await expect(openBacking('/nowhere.sock')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
