import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { cursorOf } from '../shared/graphql/event-cursor.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asDevice, asUser, type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let factory: TestSpace
const at = Date.UTC(2026, 0, 31)

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  factory = await device.createSpace({ lines: 1, devices: 3 })
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const STATE = `subscription ($spaceId: ID!, $deviceIds: [ID!]) {
  deviceStateChanged(spaceId: $spaceId, deviceIds: $deviceIds) {
    code line { name } state { status metrics reportedAt } } }`
const PRESENCE = `subscription ($spaceId: ID!) {
  devicePresenceChanged(spaceId: $spaceId) { code online lastSeenAt } }`

const idOf = (index: number) => factory.devices[index]?.id ?? ''
const stateOf = (
  index: number,
  status: 'RUNNING' | 'ERROR',
  metrics: Record<string, unknown> | null = null,
) => ({
  deviceId: idOf(index),
  spaceId: factory.spaceId,
  at,
  status,
  metrics,
})
const follow = (source: string, variables: object = {}, viewer: Viewer | null = factory.owner) =>
  device.follow(viewer, source, { spaceId: factory.spaceId, ...variables })

describe('deviceStateChanged', () => {
  it('tells the state of the event, even when the device has reported again', async () => {
    const stream = await follow(STATE)
    await redis.live.set(redisKeys.deviceState(idOf(0)), `${at + 1}|{"status":"IDLE","metrics":null}`)
    await device.publisher.publish('state', [stateOf(0, 'ERROR', { rpm: 0 }), stateOf(0, 'RUNNING')])
    const [first, second] = [(await stream.next()).value, (await stream.next()).value]
    const changed = (status: string, metrics: unknown) => ({
      data: {
        deviceStateChanged: {
          code: 'D-000',
          line: { name: 'Line 0' },
          state: { status, metrics, reportedAt: new Date(at).toISOString() },
        },
      },
      errors: [],
    })
    redis.roundTrips.live.length = 0
    expect(await stream.answer(first)).toEqual(changed('ERROR', { rpm: 0 }))
    expect(await stream.answer(second)).toEqual(changed('RUNNING', null))
    expect(redis.roundTrips.live.flat()).not.toContain('mget')
    expect([cursorOf(first), cursorOf(second)]).toEqual([
      expect.stringMatching(/^\d+-\d+\.0$/),
      expect.stringMatching(/^\d+-\d+\.1$/),
    ])
    await stream.return?.()
  })

  it('tells of the named devices only', async () => {
    const stream = await follow(STATE, { deviceIds: [idOf(2), 'x'] })
    await device.publisher.publish('state', [stateOf(0, 'ERROR'), stateOf(2, 'RUNNING')])
    const { data } = await stream.answer((await stream.next()).value)
    expect(data.deviceStateChanged.code).toBe('D-002')
    await stream.return?.()
  })

  it('ends at once when its follower leaves', async () => {
    const stream = await follow(STATE)
    const waiting = stream.next()
    await stream.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it('refuses more than 100 devices', async () => {
    const deviceIds = Array.from({ length: 101 }, newId)
    await expect(follow(STATE, { deviceIds })).rejects.toThrow(/^BAD_USER_INPUT/)
  })
})

describe('devicePresenceChanged', () => {
  it('tells who went online and offline, and when', async () => {
    const stream = await follow(PRESENCE)
    const event = { deviceId: idOf(1), spaceId: factory.spaceId, at }
    await device.publisher.publish('presence', [
      { id: newId(), online: true, ...event },
      { id: newId(), online: false, ...event },
    ])
    for (const online of [true, false]) {
      const { data } = await stream.answer((await stream.next()).value)
      const lastSeenAt = new Date(at).toISOString()
      expect(data.devicePresenceChanged).toEqual({ code: 'D-001', online, lastSeenAt })
    }
    await stream.return?.()
  })
})

describe('a subscription', () => {
  it.each([
    ['state', STATE, { status: 'RUNNING', metrics: null }],
    ['presence', PRESENCE, { id: newId(), online: true }],
  ] as const)('of %s begins after a cursor, under a role that was granted', async (kind, source, fields) => {
    const { spaceId } = await device.createSpace({})
    const eventOf = (at: number) => ({ deviceId: idOf(0), spaceId, at, ...fields }) as never
    await device.publisher.publish(kind, [eventOf(1), eventOf(2), eventOf(3)])
    const [[id] = []] = await redis.live.xrange(redisKeys.liveTopic(kind, spaceId), '-', '+')
    const request = { grant: { spaceId, role: 'VIEWER' }, start: { after: `${id}.0` } } as const
    database.statements.length = 0
    const stream = await device.follow(asUser(newId()), source, { spaceId }, request)
    const seen = [(await stream.next()).value, (await stream.next()).value]
    expect(seen.map(cursorOf)).toEqual([`${id}.1`, `${id}.2`])
    expect(database.statements).toEqual([])
    await stream.return?.()
    const other = { grant: { spaceId: factory.spaceId, role: 'VIEWER' } } as const
    await expect(device.follow(asUser(newId()), source, { spaceId }, other)).rejects.toThrow(/^NOT_FOUND/)
  })

  it.each([STATE, PRESENCE])('is refused before anything is followed', async source => {
    const { spaceId } = factory
    await expect(follow(source, {}, null)).rejects.toThrow(/^UNAUTHENTICATED/)
    await expect(follow(source, {}, asUser(newId()))).rejects.toThrow(/^NOT_FOUND/)
    await expect(follow(source, { spaceId: 'x' })).rejects.toThrow(/^NOT_FOUND/)
    await expect(follow(source, {}, asDevice({ id: idOf(0), spaceId }))).rejects.toThrow(/^FORBIDDEN/)
    const viewer = await device.addMember(spaceId, 'VIEWER')
    await (await follow(source, {}, viewer)).return?.()
  })
})
