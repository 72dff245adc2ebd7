import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import type { Redis } from 'ioredis'
import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IngestItem, SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import { createMetrics, type Metrics } from '../../shared/metrics.ts'
import { parseMysqlUrl } from '../../shared/mysql/mysql-address.ts'
import { openMysql } from '../../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { insertLogs } from './event-rows.ts'
import { createIngestFixture, type IngestFixture } from './ingest-fixture.ts'
import { findRollupFaults } from './rollup-faults.ts'

let database: TestDatabase
let redis: TestRedis
beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Things that stop to work at a given call, before or after it was done, as for a process that dies there: every
 * later call fails too.
 */
function createMortal(callsToLive: number, isDoneFirst: boolean) {
  let calls = 0
  const dead = Promise.withResolvers<void>()
  async function live<T>(work: () => Promise<T>): Promise<T> {
    calls++
    if (calls > callsToLive) throw new Error('dead')
    if (calls < callsToLive) return await work()
    dead.resolve()
    if (isDoneFirst) await work()
    throw new Error('dead')
  }
  /** `target` with these methods mortal. */
  function wrap<T extends object>(target: T, names: readonly string[]): T {
    return new Proxy(target, {
      get(of, name) {
        const value = Reflect.get(of, name)
        if (typeof value !== 'function') return value
        if (!names.includes(String(name))) return value.bind(of)
        return (...args: unknown[]) => live(() => value.apply(of, args))
      },
    })
  }
  const pool = (of: Pool): Pool => {
    const mortal = wrap(of, ['query'])
    return new Proxy(mortal, {
      get(target, name) {
        if (name !== 'getConnection') return Reflect.get(target, name)
        return async () => {
          const connection: PoolConnection = await live(() => of.getConnection())
          return wrap(connection, ['query', 'beginTransaction', 'commit'])
        }
      },
    })
  }
  const redisClient = (of: Redis): Redis => wrap(of, ['eval', 'mset'])
  return { dead: dead.promise, pool, redisClient, live }
}

async function expectAllOnce(fixture: IngestFixture, sent: readonly IngestItem[]): Promise<void> {
  await waitFor(() => fixture.isWritten(), { deadlineMs: 15_000, what: 'the end of the log' })
  for (const kind of ['log', 'anomaly', 'presence'] as const) {
    const expected = sent.flatMap(item => (item.kind === kind ? item.id : [])).toSorted()
    expect((await fixture.rows(ROWS_OF[kind])).map(row => row.id)).toEqual(expected)
    if (kind === 'anomaly') continue
    await waitFor(
      async () => new Set((await fixture.published(kind)).map(({ id }) => id)).size >= expected.length,
      { deadlineMs: 15_000, what: `all of kind ${kind} on the topic` },
    )
    expect((await fixture.published(kind)).map(({ id }) => id).toSorted()).toEqual(expected)
  }
  expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  await expectAnomaliesOnTopic(fixture)
}

/** Each anomaly counts its occurrences, was raised once, and came to the topic as it is; no version came twice. */
async function expectAnomaliesOnTopic(fixture: IngestFixture): Promise<void> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    `SELECT a.id, a.version, a.occurrences, a.status,
       (SELECT COUNT(*) FROM anomaly_occurrence o WHERE o.anomaly_id = a.id AND o.cleared = 0) AS counted
     FROM anomaly a WHERE space_id = ?`,
    [fixture.spaceId],
  )
  for (const { occurrences, counted } of rows) expect(occurrences).toBe(counted)
  const newest = async () =>
    new Map((await fixture.published('anomaly')).map(({ anomaly }) => [anomaly.id, anomaly]))
  await waitFor(
    async () => {
      const published = await newest()
      return rows.every(({ id, version }) => published.get(id)?.version === version)
    },
    { deadlineMs: 15_000, what: 'all anomalies on the topic' },
  )
  const published = await newest()
  for (const { id, occurrences, status } of rows)
    expect(published.get(id)).toMatchObject({ occurrences, status })
  const changes = await fixture.published('anomaly')
  const raised = changes.filter(({ change }) => change === 'RAISED').map(({ anomaly }) => anomaly.id)
  expect(raised.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  const versions = changes.flatMap(({ change, anomaly: { id, version } }) =>
    change === 'RAISED' ? [] : `${id} ${version}`,
  )
  expect(new Set(versions).size).toBe(versions.length)
}

const ROWS_OF = { log: 'log', anomaly: 'anomaly_occurrence', presence: 'presence_event' } as const

/** What devices may send, in the order in which they send it; some of it happened long before. */
function createTraffic(fixture: IngestFixture, random: () => number, count: number): IngestItem[] {
  const senders = Array.from({ length: 25 }, newId)
  const generations = new Map<string, number>()
  const start = Date.now() - count * 1_000
  return Array.from({ length: count }, (_, i): IngestItem => {
    const deviceId = senders[Math.floor(random() * senders.length)] ?? ''
    const id = random() < 0.3 ? newIdAt(Date.now() - Math.floor(random() * 10_800_000)) : newId()
    const chance = random()
    if (chance < 0.5) return fixture.log(deviceId, { id, level: random() < 0.2 ? 'ERROR' : 'INFO' })
    if (chance < 0.7) {
      const severity = random() < 0.5 ? 'MINOR' : 'CRITICAL'
      return fixture.anomaly(deviceId, { id, severity, cleared: random() < 0.2 })
    }
    if (chance < 0.88) return fixture.state(deviceId, start + i * 1_000, random() < 0.5 ? 'RUNNING' : 'IDLE')
    if (chance < 0.92) return fixture.connectivity(deviceId, start + i * 1_000)
    // Odd steps go online, even ones end that session.
    const step = (generations.get(deviceId) ?? 0) + 1
    generations.set(deviceId, step)
    return fixture.presence(deviceId, Math.ceil(step / 2), step % 2 === 1, start + i * 1_000)
  })
}

/** Whatever was repeated: the history tells each state that was sent, and the newest is kept. */
async function expectStateHistory(sent: readonly IngestItem[]): Promise<void> {
  const states = sent.filter(item => item.kind === 'state')
  for (const [deviceId, ofDevice] of Map.groupBy(states, state => state.deviceId)) {
    const [changes] = await database.pool.query<RowDataPacket[]>(
      'SELECT at, status FROM state_change WHERE device_id = ? ORDER BY at DESC',
      [deviceId],
    )
    const told = ofDevice.map(({ at }) => changes.find(change => change.at <= at)?.status)
    expect(told).toEqual(ofDevice.map(({ status }) => status))
    const newest = ofDevice.at(-1)
    const [statuses] = await database.pool.query<RowDataPacket[]>(
      'SELECT status, state_at FROM device_status WHERE device_id = ?',
      [deviceId],
    )
    expect(statuses).toMatchObject([{ status: newest?.status, state_at: newest?.at }])
    const [minutes] = await database.pool.query<RowDataPacket[]>(
      'SELECT minute, last_value, min_value, max_value FROM metric_minute WHERE device_id = ? ORDER BY minute',
      [deviceId],
    )
    // The fixture's metric is the time of the state.
    const times = Map.groupBy(ofDevice, ({ at }) => Math.floor(at / 60_000))
    expect(minutes.map(row => ({ ...row }))).toEqual(
      Array.from(times, ([minute, ofMinute]) => {
        const values = ofMinute.map(({ at }) => at)
        const [min_value, max_value] = [Math.min(...values), Math.max(...values)]
        return { minute, last_value: max_value, min_value, max_value }
      }),
    )
  }
}

/** Whether the samples of a metric come to at least `least`. */
async function hasCounted(metrics: Metrics, name: string, least: number): Promise<boolean> {
  const { values = [] } = (await metrics.getSingleMetric(name)?.get()) ?? {}
  return values.reduce((sum, { value }) => sum + value, 0) >= least
}

describe('ingest that crashes', () => {
  it.each([1, 2, 3])('writes all once and publishes all once, wherever it dies (seed %i)', async seed => {
    const random = createRandom(seed)
    const fixture = createIngestFixture(database, redis)
    const items = createTraffic(fixture, random, 1_000)
    let sent = 0
    let deaths = 0
    while (sent < items.length) {
      const mortal = createMortal(5 + Math.floor(random() * 100), random() < 0.5)
      const publisher = createLivePublisher({ redis: redis.live })
      // Its own connections: what it leaves open ends with it.
      await using mysql = openMysql({ url: database.url, poolSize: 4 })
      const ingest = fixture.launch({
        pool: mortal.pool(mysql.pool),
        ingestRedis: mortal.redisClient(redis.ingest),
        liveRedis: mortal.redisClient(redis.live),
        livePublisher: {
          publish: (kind, events, options) => mortal.live(() => publisher.publish(kind, events, options)),
        },
        limits: { maxRows: 20, lingerMs: 0 },
      })
      let isDead = false
      mortal.dead.then(() => {
        isDead = true
      })
      while (!isDead && sent < items.length) {
        const from = random() < 0.3 ? Math.max(0, sent - 100) : sent
        sent = Math.min(items.length, sent + 1 + Math.floor(random() * 40))
        await fixture.append(items.slice(from, sent), 1 + Math.floor(random() * 10))
        await waitFor(async () => isDead || (await fixture.isWritten()))
      }
      if (isDead) deaths++
      await ingest[Symbol.asyncDispose]()
    }
    expect(deaths).toBeGreaterThan(5)
    const ingest = await fixture.start()
    await expectAllOnce(fixture, items)
    await expectStateHistory(items)
    await ingest[Symbol.asyncDispose]()
  })

  it('waits for MySQL to come back and then writes all, publishing too', async () => {
    const fixture = createIngestFixture(database, redis)
    await using gate = await openGate(parseMysqlUrl(database.url).socketPath ?? '')
    const url = new URL(database.url)
    url.searchParams.delete('socketPath')
    url.hostname = '127.0.0.1'
    url.port = String(gate.port)
    await using mysql = openMysql({ url: url.href, poolSize: 4 })
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using ingest = await fixture.start({ pool: mysql.pool, limits: { renewIntervalMs: 50 }, metrics })
    const senders = Array.from({ length: 10 }, newId)
    const batch = () => Array.from({ length: 50 }, (_, i) => fixture.log(senders[i % 10] ?? ''))
    const sent = [batch(), batch(), batch()]
    await fixture.append(sent[0] ?? [])
    await waitFor(() => fixture.isWritten())
    gate.shut()
    await fixture.append(sent[1] ?? [], 5)
    await fixture.append(sent[2] ?? [], 5)
    await waitFor(() => hasCounted(metrics, 'nuvion_ingest_retries_total', 4))
    expect(await fixture.rows()).toHaveLength(50)
    expect(ingest.isReady()).toBe(true)
    gate.open()
    await expectAllOnce(fixture, sent.flat())
    for (let shard = 0; shard < SHARD_COUNT; shard++)
      await waitFor(async () => (await redis.ingest.xlen(redisKeys.ingestLog(shard))) === 0)
  })

  it('waits for an owner that stopped in the middle of a transaction, and writes when that is ended', async () => {
    const fixture = createIngestFixture(database, redis)
    const logs = Array.from({ length: 20 }, () => fixture.log(newId()))
    const stopped = await database.pool.getConnection()
    await stopped.query('SET SESSION idle_write_transaction_timeout = 1')
    await stopped.beginTransaction()
    await insertLogs(stopped, logs.slice(5, 10), new Map())
    await using _ingest = await fixture.start()
    await fixture.append(logs)
    await expectAllOnce(fixture, logs)
    await expect(stopped.commit()).rejects.toThrow()
    stopped.destroy()
  })

  it('publishes what it has committed when the answer to COMMIT was lost', async () => {
    const fixture = createIngestFixture(database, redis)
    let lost = 0
    const pool = new Proxy(database.pool, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'getConnection') return typeof value === 'function' ? value.bind(target) : value
        return async () => {
          const connection = await target.getConnection()
          const commit = connection.commit.bind(connection)
          connection.commit = async () => {
            await commit()
            if (lost++ % 2 === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
          }
          return connection
        }
      },
    })
    await using _ingest = await fixture.start({ pool })
    const senders = Array.from({ length: 10 }, newId)
    const logs = Array.from({ length: 300 }, (_, i) => fixture.log(senders[i % 10] ?? ''))
    for (let from = 0; from < logs.length; from += 50) {
      await fixture.append(logs.slice(from, from + 50))
      await waitFor(() => fixture.isWritten())
    }
    expect(lost).toBeGreaterThan(2)
    await expectAllOnce(fixture, logs)
  })

  it('starts without MySQL, is not ready, and becomes ready when it comes', async () => {
    const fixture = createIngestFixture(database, redis)
    await using gate = await openGate(parseMysqlUrl(database.url).socketPath ?? '')
    gate.shut()
    const url = new URL(database.url)
    url.searchParams.delete('socketPath')
    url.hostname = '127.0.0.1'
    url.port = String(gate.port)
    await using mysql = openMysql({ url: url.href, poolSize: 4 })
    const log = fixture.log(newId())
    await fixture.append([log])
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using ingest = fixture.launch({ pool: mysql.pool, metrics })
    await waitFor(() => hasCounted(metrics, 'nuvion_ingest_retries_total', 2))
    expect(ingest.isReady()).toBe(false)
    gate.open()
    await ingest.ready
    await expectAllOnce(fixture, [log])
  })
})

/** A port in front of a server's socket that can be shut: connections break and new ones are refused. */
async function openGate(socketPath: string) {
  const pairs = new Set<{ destroy(): void }>()
  let isShut = false
  const server = createServer(client => {
    if (isShut) return client.destroy()
    const upstream = connect(socketPath)
    const pair = {
      destroy() {
        client.destroy()
        upstream.destroy()
        pairs.delete(pair)
      },
    }
    pairs.add(pair)
    for (const socket of [client, upstream]) socket.on('error', pair.destroy).on('close', pair.destroy)
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isShut = true
      for (const pair of [...pairs]) pair.destroy()
    },
    open() {
      isShut = false
    },
    async [Symbol.asyncDispose]() {
      for (const pair of [...pairs]) pair.destroy()
      server.close()
    },
  }
}
