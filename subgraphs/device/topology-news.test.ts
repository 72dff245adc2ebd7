import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLiveReader } from '../shared/live-topic/live-reader.ts'
import { createLogger } from '../shared/logger.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { startTopologyWatch } from '../shared/topology/topology-watch.ts'
import { createDeviceDirectory } from './device-directory.ts'
import { type DeviceFixture, openDeviceFixture } from './device-fixture.ts'
import { createTopologyCache } from './topology-cache.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

it('other processes hear of every change, and one of a line moves what stands on it', async () => {
  const { spaceId, owner, devices, lines, processes } = await device.createSpace({ lines: 2, devices: 1 })
  const [deviceId = '', from = '', to = '', processId = ''] = [devices[0], ...lines, processes[0]].map(
    one => one?.id,
  )
  const liveReader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const topologyWatch = startTopologyWatch({ liveReader, logger })
  try {
    const heard = Promise.withResolvers<void>()
    topologyWatch.onChange(() => heard.resolve())
    await heard.promise
    const { db } = database
    const directory = createDeviceDirectory({ db, topologyWatch })
    const elsewhere = createTopologyCache({ db })
    topologyWatch.onChange(elsewhere.forget)
    const placeOf = async () => (await directory.placesOf([deviceId])).get(deviceId)
    const names = async () => ({
      space: (await elsewhere.spaces.get(spaceId))?.name,
      lines: (await elsewhere.linesOfSpace(spaceId)).map(({ name }) => name),
      processes: (await elsewhere.processesOfSpace(spaceId)).map(({ name, lineId }) => [name, lineId]),
      device: (await elsewhere.devices.get(deviceId))?.name,
    })
    const before = await names()
    expect(await placeOf()).toMatchObject({ lineId: from, processId })

    /** Runs a mutation, and waits until the other process knows what it has changed. */
    async function change(mutation: string, input: object, isKnown: () => Promise<boolean>): Promise<void> {
      const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`
      const { data, errors } = await device.run(
        owner,
        `mutation ($input: ${type}) { it: ${mutation}(input: $input) { userErrors { message } } }`,
        { input },
      )
      expect([data.it.userErrors, errors]).toEqual([[], []])
      await waitFor(async () => (await isKnown()) || undefined)
    }

    const named = 'By another process'
    await change('updateSpace', { spaceId, name: named }, async () => (await names()).space === named)
    await change('updateDevice', { deviceId, name: named }, async () => (await names()).device === named)
    await change('updateLine', { lineId: to, name: named }, async () => (await names()).lines.includes(named))
    expect(await names()).toEqual({ ...before, space: named, device: named, lines: ['Line 0', named] })

    await change('updateProcess', { processId, lineId: to }, async () => (await placeOf())?.lineId === to)
    expect((await names()).processes).toContainEqual(['Process 0', to])
    await change(
      'deleteLine',
      { lineId: to, moveDevicesToLineId: from },
      async () => (await placeOf())?.lineId === from,
    )
    await change('updateDevice', { deviceId, processId: null }, async () => {
      const place = await placeOf()
      return place?.lineId === from && place.processId === null
    })
    expect((await names()).lines).toEqual(['Line 0'])
  } finally {
    await topologyWatch[Symbol.asyncDispose]()
    await liveReader[Symbol.asyncDispose]()
  }
})

it('a change is made and seen here though Redis does not take the news', async () => {
  const { owner, devices } = await device.createSpace({ devices: 1 })
  const id = devices[0]?.id
  const NAME = 'query ($id: ID!) { device(id: $id) { name } }'
  expect((await device.run(owner, NAME, { id })).data.device.name).toBe('Device 0')
  // Neither a stream nor able to become one.
  const key = (await redis.live.keys('*topology*'))[0] ?? 'nuvion:live:topology:site'
  await redis.live.set(key, 'no stream')
  const { data } = await device.run(
    owner,
    'mutation ($id: ID!) { updateDevice(input: { deviceId: $id, name: "New" }) { userErrors { message } } }',
    { id },
  )
  expect(data.updateDevice.userErrors).toEqual([])
  expect((await device.run(owner, NAME, { id })).data.device.name).toBe('New')
})
