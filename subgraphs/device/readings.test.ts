import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createLogger } from '../shared/logger.ts'
import { serializePresenceValue } from '../shared/presence-value.ts'
import { openRedis } from '../shared/redis/open-redis.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createLiveValues } from './live-values.ts'
import { createReadings } from './readings.ts'

let database: TestDatabase
let redis: TestRedis
let logged: { event: string }[]
const at = Date.UTC(2026, 0, 31)
const spaceId = newId()

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
afterAll(async () => {
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
beforeEach(() => {
  logged = []
  database.statements.length = 0
  redis.roundTrips.live.length = 0
})

const logger = createLogger({
  level: 'info',
  role: 'test',
  destination: { write: line => logged.push(JSON.parse(line)) },
})

function open(live = redis.live, retryAfterMs = 1_000) {
  const liveValues = createLiveValues({ redis: live, logger, retryAfterMs })
  const request = () => createReadings({ db: database.db, liveValues })
  return {
    request,
    read: async (id: string) => {
      const { presence, state, connectivity } = request()
      const [p, s, c] = await Promise.all([presence.load(id), state.load(id), connectivity.load(id)])
      return { presence: p, state: s, connectivity: c }
    },
  }
}

async function keep(deviceId: string): Promise<void> {
  await database.db.insert(deviceStatus).values({
    deviceId,
    spaceId,
    online: true,
    lastSeenAt: at,
    state: { status: 'ERROR', metrics: { rpm: 1 } },
    stateAt: at + 1,
    connectivity: { network: 'LTE', signal: -90, latencyMs: 40.5 },
    connectivityAt: at + 2,
  })
  database.statements.length = 0
}

const KEPT = {
  presence: { online: true, lastSeenAt: new Date(at) },
  state: { status: 'ERROR', metrics: { rpm: 1 }, reportedAt: new Date(at + 1) },
  connectivity: { network: 'LTE', signal: -90, latencyMs: 40.5, reportedAt: new Date(at + 2) },
}
const NOTHING = { presence: { online: false, lastSeenAt: null }, state: null, connectivity: null }

describe('readings', () => {
  it('of all kinds and devices come in one MGET and no statement', async () => {
    const ids = [newId(), newId()]
    for (const [i, id] of ids.entries()) {
      const presence = { generation: 3, online: i === 0, lastSeenAt: at, doorId: 'door', spaceId }
      await redis.live.mset({
        [redisKeys.devicePresence(id)]: serializePresenceValue(presence),
        [redisKeys.deviceState(id)]: `${at}|{"status":"RUNNING","metrics":{"a|b":[1]}}`,
        [redisKeys.deviceConnectivity(id)]: `${at}|{"network":"WIFI"}`,
      })
    }
    redis.roundTrips.live.length = 0
    const { presence, state, connectivity } = open().request()
    const reportedAt = new Date(at)
    const read = await Promise.all(
      ids.flatMap(id => [presence.load(id), state.load(id), connectivity.load(id)]),
    )
    const reports = [
      { status: 'RUNNING', metrics: { 'a|b': [1] }, reportedAt },
      { network: 'WIFI', signal: null, latencyMs: null, reportedAt },
    ]
    expect(read).toEqual([
      { online: true, lastSeenAt: reportedAt },
      ...reports,
      { online: false, lastSeenAt: reportedAt },
      ...reports,
    ])
    expect(redis.roundTrips.live).toEqual([['mget']])
    expect(database.statements).toEqual([])
  })

  it('that Redis does not have come from disk in one statement', async () => {
    const [kept, unknown] = [newId(), newId()]
    await keep(kept)
    const { presence, state, connectivity } = open().request()
    const of = (id: string) => [presence.load(id), state.load(id), connectivity.load(id)]
    expect(await Promise.all([...of(kept), ...of(unknown)])).toEqual([
      ...Object.values(KEPT),
      ...Object.values(NOTHING),
    ])
    expect(database.statements).toHaveLength(1)
    expect(redis.roundTrips.live).toEqual([['mget']])
  })

  it.each(['', 'x', '|', `${at}`, `${at}|`, `${at}|{`, `${at}|[]`, `x|{}`, `${at}|{"status":"BROKEN"}`])(
    'that hold %j in Redis come from disk',
    async value => {
      const id = newId()
      await keep(id)
      await redis.live.mset({
        [redisKeys.devicePresence(id)]: value,
        [redisKeys.deviceState(id)]: value,
        [redisKeys.deviceConnectivity(id)]: value,
      })
      expect(await open().read(id)).toEqual(KEPT)
    },
  )
})

describe('without Redis', () => {
  it('readings come from disk, soon, and that is logged once', async () => {
    // Nobody listens on this socket.
    await using away = openRedis({ url: `unix:///tmp/${newId()}.sock`, name: 'away' })
    const id = newId()
    await keep(id)
    const { read } = open(away.redis)
    for (let i = 0; i < 3; i++) expect(await read(id)).toEqual(KEPT)
    expect(logged.map(line => line.event)).toEqual(['device.live_values_away'])
  })

  it('a Redis that does not answer holds a request up for its deadline only, and the next not at all', async () => {
    const id = newId()
    await keep(id)
    let asked = 0
    const silent = {
      mget() {
        asked++
        return new Promise(() => {})
      },
    } as never
    const liveValues = createLiveValues({ redis: silent, logger, deadlineMs: 20 })
    for (let i = 0; i < 3; i++) {
      const { state } = createReadings({ db: database.db, liveValues })
      expect(await state.load(id)).toEqual(KEPT.state)
    }
    expect(asked).toBe(1)
  })

  it('readings come from Redis again once it is back', async () => {
    const id = newId()
    await redis.live.set(redisKeys.deviceState(id), `${at}|{"status":"IDLE"}`)
    let isAway = true
    const live = {
      mget: (keys: string[]) =>
        isAway ? Promise.reject(new Error('Connection is closed.')) : redis.live.mget(keys),
    } as never
    const { read } = open(live, 0)
    expect(await read(id)).toEqual(NOTHING)
    isAway = false
    expect((await read(id)).state).toMatchObject({ status: 'IDLE' })
    expect(logged.map(line => line.event)).toEqual(['device.live_values_away', 'device.live_values_back'])
  })
})
