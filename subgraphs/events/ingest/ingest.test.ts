import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shardOf } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { createLivePublisher } from '../../shared/live-topic/live-publisher.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId, timeOfId } from '../../shared/uuid-v7.ts'
import type { Ingest } from './ingest.ts'
import { createIngestFixture, type IngestFixture, LINE_ID, PROCESS_ID } from './ingest-fixture.ts'
import { findRollupFaults } from './rollup-faults.ts'
import { loadLiveEvents } from './written-rows.ts'

let database: TestDatabase
let redis: TestRedis
let fixture: IngestFixture
let ingest: Ingest | undefined
beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
beforeEach(async () => {
  fixture = createIngestFixture(database, redis)
  await redis.ingest.del(redisKeys.deadLetters())
})
afterEach(async () => {
  await ingest?.[Symbol.asyncDispose]()
  ingest = undefined
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const devices = (count: number) => Array.from({ length: count }, () => newId())
const written = () => waitFor(() => fixture.isWritten(), { what: 'the end of the log', deadlineMs: 10_000 })
const ids = (rows: readonly (RowDataPacket | { id: string })[]): string[] => rows.map(({ id }) => id)

/** An object with so many more within each other. */
function nested(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { in: nested(levels - 1) }
}

async function status(deviceId: string): Promise<RowDataPacket | undefined> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    'SELECT * FROM device_status WHERE device_id = ?',
    [deviceId],
  )
  return rows[0]
}

async function presenceRows(deviceId: string): Promise<string[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    'SELECT kind FROM presence_event WHERE device_id = ? ORDER BY id',
    [deviceId],
  )
  return rows.map(row => row.kind)
}

describe('ingest', () => {
  it('writes a log with the place of its device and publishes it whole', async () => {
    ingest = await fixture.start()
    const [deviceId = ''] = devices(1)
    const log = fixture.log(deviceId, {
      attributes: { temperature: 61.5 },
      message: 'Üñí 日本 🏭',
      level: 'WARN',
    })
    await fixture.append([log])
    const [event] = await waitFor(async () => {
      const events = await fixture.published('log')
      return events.length > 0 ? events : undefined
    })
    expect(event).toEqual({
      ...{ id: log.id, spaceId: log.spaceId, deviceId, lineId: LINE_ID, processId: PROCESS_ID },
      ...{ level: 'WARN', message: 'Üñí 日本 🏭', attributes: { temperature: 61.5 } },
      ...{ clockReplaced: false, receivedAt: log.receivedAt },
    })
    const [row] = await fixture.rows()
    expect(row).toMatchObject({
      ...{ id: log.id, device_id: deviceId, line_id: LINE_ID, process_id: PROCESS_ID, level: 'WARN' },
      ...{ message: 'Üñí 日本 🏭', attributes: '{"temperature":61.5}', clock_replaced: 0 },
      received_at: new Date(log.receivedAt),
    })
    expect((await status(deviceId))?.last_seen_at).toBe(log.receivedAt)
  })

  it('writes an anomaly, and word that it is over, with the place of its device and publishes both whole', async () => {
    ingest = await fixture.start()
    const [deviceId = ''] = devices(1)
    const said = { message: 'Lager heiß 🔥', score: 0.93, attributes: { axis: ['x'] } }
    const anomaly = fixture.anomaly(deviceId, { ...said, type: 'BEARING', severity: 'CRITICAL' })
    const over = fixture.anomaly(deviceId, {
      type: 'BEARING',
      severity: 'INFO',
      cleared: true,
      clockReplaced: true,
    })
    await fixture.append([anomaly])
    await written()
    await fixture.append([over])
    const events = await waitFor(async () => {
      const published = await fixture.published('anomaly')
      return published.length > 1 ? published : undefined
    })
    const raised = {
      ...{ id: anomaly.id, spaceId: fixture.spaceId, deviceId, lineId: LINE_ID, processId: PROCESS_ID },
      ...{ type: 'BEARING', severity: 'CRITICAL', ...said, clockReplaced: false },
      ...{ receivedAt: anomaly.receivedAt, firstOccurrenceId: anomaly.id, lastOccurrenceId: anomaly.id },
      ...{ occurrences: 1, status: 'OPEN', acknowledgedAt: null, acknowledgedBy: null },
      ...{ resolvedAt: null, resolvedBy: null, version: 1 },
    }
    const ended = { ...raised, status: 'RESOLVED', resolvedAt: timeOfId(over.id), version: 2 }
    expect(events).toEqual([
      { change: 'RAISED', anomaly: raised },
      { change: 'CLEARED', anomaly: ended },
    ])
    expect(await fixture.rows('anomaly_occurrence')).toMatchObject([
      {
        ...{ id: anomaly.id, device_id: deviceId, line_id: LINE_ID, process_id: PROCESS_ID, type: 'BEARING' },
        ...{ severity: 'CRITICAL', message: said.message, score: 0.93, attributes: '{"axis":["x"]}' },
        ...{ cleared: 0, clock_replaced: 0, received_at: new Date(anomaly.receivedAt) },
      },
      { id: over.id, message: null, score: null, attributes: null, cleared: 1, clock_replaced: 1 },
    ])
    // What is read again for the topic after a crash has the anomaly as it is by then.
    expect((await loadLiveEvents(database.pool, [anomaly, over, anomaly])).anomalies).toEqual([
      { change: 'RAISED', anomaly: ended },
      { change: 'CLEARED', anomaly: ended },
    ])
    expect((await loadLiveEvents(database.pool, [over])).anomalies).toEqual([
      { change: 'CLEARED', anomaly: ended },
    ])
  })

  it('is ready within 200 ms when there is nothing to prepare', async () => {
    await (await fixture.start())[Symbol.asyncDispose]()
    const started = performance.now()
    ingest = await fixture.start()
    expect(performance.now() - started).toBeLessThan(200)
    expect(ingest.isReady()).toBe(true)
  })

  it('writes each log once when whole batches are sent again, mixed with new ones', async () => {
    ingest = await fixture.start()
    const senders = devices(20)
    const first = senders.flatMap(deviceId => Array.from({ length: 30 }, () => fixture.log(deviceId)))
    const later = senders.flatMap(deviceId => Array.from({ length: 10 }, () => fixture.log(deviceId)))
    await fixture.append(first)
    await fixture.append([...first.slice(300), ...later, ...first, ...later])
    await written()
    await fixture.append([...later, ...first], 7)
    await written()
    expect(ids(await fixture.rows())).toEqual(ids([...first, ...later]).toSorted())
    const published = await waitFor(async () => {
      const events = await fixture.published('log')
      return events.length >= 800 ? events : undefined
    })
    expect(ids(published).toSorted()).toEqual(ids([...first, ...later]).toSorted())
  })

  it('keeps the order of a device', async () => {
    ingest = await fixture.start()
    const [deviceId = '', other = ''] = devices(2)
    const logs = Array.from({ length: 500 }, (_, i) => fixture.log(i % 3 === 0 ? other : deviceId))
    for (let from = 0; from < logs.length; from += 50) await fixture.append(logs.slice(from, from + 50), 3)
    await written()
    const published = await waitFor(async () => {
      const events = await fixture.published('log')
      return events.length === 500 ? events : undefined
    })
    const ofDevice = <T extends { deviceId: string; id: string }>(items: T[]) =>
      ids(items.filter(item => item.deviceId === deviceId))
    expect(ofDevice(published)).toEqual(ofDevice(logs))
  })

  it('refuses an id that another device has used, tells that device, and writes the rest', async () => {
    ingest = await fixture.start()
    const [first = '', second = ''] = devices(2)
    const log = fixture.log(first)
    await fixture.append([log])
    await written()
    const stolen = fixture.log(second, { id: log.id, message: 'mine now' })
    const good = fixture.log(second)
    await fixture.append([stolen, good])
    await written()
    const rows = await fixture.rows()
    expect(ids(rows)).toEqual([log.id, good.id].toSorted())
    expect(rows.find(row => row.id === log.id)).toMatchObject({ device_id: first, message: log.message })
    expect(await fixture.deadLetters()).toEqual([
      { reason: 'CONFLICT: another device has used this id', v: JSON.stringify(stolen) },
    ])
    await waitFor(() => fixture.mailed.length > 0)
    expect(fixture.mailed).toEqual([
      {
        deviceId: second,
        queue: '/user/queue/errors',
        body: {
          destination: '/app/log',
          errors: [{ index: null, id: log.id, field: 'id', reason: 'Another device has used this id.' }],
        },
      },
    ])
    const [{ id } = { id: '' }, ...others] = (await fixture.published('log')).filter(
      event => event.id === log.id,
    )
    expect([id, others]).toEqual([log.id, []])
  })

  it('takes an id for a log and for an anomaly, but for two anomalies of different devices only once', async () => {
    ingest = await fixture.start()
    const [first = '', second = ''] = devices(2)
    const anomaly = fixture.anomaly(first)
    const stolen = fixture.anomaly(second, { id: anomaly.id })
    await fixture.append([anomaly, fixture.log(second, { id: anomaly.id })])
    await written()
    await fixture.append([stolen, anomaly, fixture.anomaly(second)])
    await written()
    expect(await fixture.rows()).toMatchObject([{ id: anomaly.id, device_id: second }])
    expect(await fixture.rows('anomaly_occurrence')).toMatchObject([
      { id: anomaly.id, device_id: first },
      { device_id: second },
    ])
    expect((await fixture.deadLetters()).map(({ v }) => JSON.parse(v))).toEqual([stolen])
    await waitFor(() => fixture.mailed.length > 0)
    expect(fixture.mailed).toMatchObject([
      { deviceId: second, body: { destination: '/app/anomaly', errors: [{ id: anomaly.id, field: 'id' }] } },
    ])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('refuses the second of two devices that use one id in the same batch', async () => {
    const [first = '', second = ''] = devices(2)
    const log = fixture.log(first)
    await fixture.append([log, fixture.log(second, { id: log.id }), fixture.log(second)])
    ingest = await fixture.start()
    await written()
    expect(await fixture.rows()).toHaveLength(2)
    expect(await fixture.deadLetters()).toHaveLength(1)
  })

  it('isolates items that can never be written and writes all others', async () => {
    const senders = devices(10)
    const good = senders.flatMap(deviceId => Array.from({ length: 20 }, () => fixture.log(deviceId)))
    const [deviceId = ''] = senders
    const bad = [
      fixture.log(deviceId, { message: 'x'.repeat(70_000) }),
      fixture.log(deviceId, { attributes: nested(40) }),
      fixture.log(deviceId, { message: 'é'.repeat(40_000) }),
    ]
    const mixed = [...good.slice(0, 50), ...bad.slice(0, 2), ...good.slice(50), ...bad.slice(2)]
    await fixture.append([...mixed, ...good.slice(0, 30)], 40)
    ingest = await fixture.start()
    await written()
    expect(ids(await fixture.rows())).toEqual(ids(good).toSorted())
    const letters = await fixture.deadLetters()
    expect(letters.map(({ reason }) => reason.slice(0, 7))).toEqual(['POISON:', 'POISON:', 'POISON:'])
    expect(letters.map(({ v }) => JSON.parse(v).id).toSorted()).toEqual(ids(bad).toSorted())
  })

  it('isolates items of every kind that can never be written, and writes and counts all others', async () => {
    const senders = devices(8)
    const now = Date.now()
    const [deviceId = ''] = senders
    const good = senders.flatMap((deviceId, i) => [
      fixture.log(deviceId),
      fixture.anomaly(deviceId),
      fixture.state(deviceId, now + i),
      fixture.connectivity(deviceId, now + i),
      fixture.presence(deviceId, 1, true, now),
    ])
    const poison = [
      fixture.log(deviceId, { message: 'x'.repeat(70_000) }),
      fixture.anomaly(deviceId, { type: 'x'.repeat(65) }),
      fixture.anomaly(deviceId, { attributes: nested(40) }),
      { ...fixture.state(deviceId, 1), metrics: nested(40) },
      fixture.state(deviceId, Date.UTC(9999, 0)),
    ]
    const malformed = ['é', 'no-uuid-'.repeat(8), ''].flatMap(id => [
      ...[fixture.log(id), fixture.anomaly(id), fixture.state(id, now), fixture.connectivity(id, now)],
      ...[fixture.presence(id, 1, true, now), { ...fixture.anomaly(deviceId), spaceId: id }],
    ])
    const bad = [...poison, ...malformed]
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await fixture.append([...good.slice(0, 9), ...bad.slice(0, 3), ...good.slice(9), ...bad.slice(3)])
    ingest = await fixture.start({ metrics })
    await written()
    const letters = await fixture.deadLetters()
    const counted = await metrics.metrics()
    for (const [reason, items] of Object.entries({ POISON: poison, MALFORMED: malformed })) {
      const found = letters.filter(letter => letter.reason.startsWith(`${reason}:`)).map(({ v }) => v)
      expect(found.toSorted()).toEqual(items.map(item => JSON.stringify(item)).toSorted())
      expect(counted).toContain(
        `nuvion_ingest_dead_letters_total{reason="${reason}",group="test"} ${items.length}`,
      )
    }
    for (const table of ['log', 'anomaly_occurrence', 'presence_event'] as const)
      expect(await fixture.rows(table)).toHaveLength(senders.length)
    for (const [i, deviceId] of senders.entries())
      expect(await status(deviceId)).toMatchObject({
        ...{ online: 1, status: 'RUNNING', state_at: now + i, connectivity_at: now + i },
      })
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('moves what it cannot understand to the dead letters and goes on', async () => {
    ingest = await fixture.start()
    const [deviceId = ''] = devices(1)
    const good = fixture.log(deviceId)
    const key = redisKeys.ingestLog(shardOf(deviceId))
    await redis.ingest.xadd(key, '*', 'v', '[{"kind":')
    await redis.ingest.xadd(key, '*', 'other', 'field')
    await redis.ingest.xadd(
      key,
      '*',
      'v',
      JSON.stringify([
        ...[{ kind: 'what' }, good, { ...good, id: 'no-id' }, null],
        ...[{ severity: 'BAD' }, { type: '' }, { score: '1' }].map(fault => ({
          ...fixture.anomaly(deviceId),
          ...fault,
        })),
      ]),
    )
    await written()
    expect(ids(await fixture.rows())).toEqual([good.id])
    expect((await fixture.deadLetters()).map(({ reason }) => reason.split(':')[0])).toEqual(
      Array(8).fill('MALFORMED'),
    )
  })

  it('keeps the newest state and connectivity by their time, whatever comes later', async () => {
    ingest = await fixture.start()
    const [deviceId = ''] = devices(1)
    await fixture.append([
      fixture.state(deviceId, 2_000, 'RUNNING'),
      fixture.connectivity(deviceId, 2_000, 'lte'),
    ])
    await written()
    await fixture.append([
      fixture.state(deviceId, 1_000, 'ERROR'),
      fixture.connectivity(deviceId, 1_000, 'wifi'),
      fixture.state(deviceId, 3_000, 'IDLE'),
      fixture.state(deviceId, 2_500, 'STOPPED'),
    ])
    await written()
    const row = await status(deviceId)
    expect(JSON.parse(row?.state)).toEqual({ status: 'IDLE', metrics: { rpm: 3_000 } })
    expect(JSON.parse(row?.connectivity)).toEqual({ network: 'lte', signal: null, latencyMs: null })
    expect(row).toMatchObject({ status: 'IDLE', state_at: 3_000, connectivity_at: 2_000 })
    const events = await waitFor(async () => {
      const published = await fixture.published('state')
      return published.length >= 2 ? published : undefined
    })
    expect(events.map(event => [event.at, event.status])).toEqual([
      [2_000, 'RUNNING'],
      [3_000, 'IDLE'],
    ])
    expect(await redis.live.get(redisKeys.deviceState(deviceId))).toBe(
      '3000|{"status":"IDLE","metrics":{"rpm":3000}}',
    )
    expect(await redis.live.get(redisKeys.deviceConnectivity(deviceId))).toBe(
      '2000|{"network":"lte","signal":null,"latencyMs":null}',
    )
  })

  it('writes one online and one offline event per episode, by generation', async () => {
    ingest = await fixture.start()
    const [deviceId = ''] = devices(1)
    const now = Date.now()
    const online = fixture.presence(deviceId, 5, true, now)
    const offline = fixture.presence(deviceId, 5, false, now + 10)
    // Copies, and an older session's late end after a newer one has begun.
    await fixture.append([online, offline, online, offline])
    await written()
    await fixture.append([fixture.presence(deviceId, 7, true, now + 20)])
    await fixture.append([fixture.presence(deviceId, 6, false, now + 15), offline, online])
    await written()
    expect(await presenceRows(deviceId)).toEqual(['ONLINE', 'OFFLINE', 'ONLINE'])
    expect(await status(deviceId)).toMatchObject({ online: 1, generation: 7, last_seen_at: now + 20 })
    const events = await waitFor(async () => {
      const published = await fixture.published('presence')
      return published.length >= 3 ? published : undefined
    })
    expect(events.map(event => [event.online, event.at])).toEqual([
      [true, now],
      [false, now + 10],
      [true, now + 20],
    ])
  })

  it('makes the same number of statements whatever the size of the batch', async () => {
    ingest = await fixture.start({ limits: { renewIntervalMs: 60_000 } })
    const senders = devices(300)
    await fixture.append(senders.map(deviceId => fixture.anomaly(deviceId)))
    await written()
    const counts: number[] = []
    for (const count of [1, 300]) {
      database.statements.length = 0
      const some = senders.slice(0, count)
      await redis.ingest.xadd(
        redisKeys.ingestLog(0),
        '*',
        'v',
        JSON.stringify([
          ...some.map(deviceId => fixture.log(deviceId)),
          ...some.flatMap(deviceId => [
            fixture.anomaly(deviceId),
            fixture.anomaly(deviceId, { type: newId() }),
          ]),
          ...some.map(deviceId => fixture.state(deviceId, Date.now())),
          ...some.map(deviceId => fixture.presence(deviceId, count, count === 1)),
        ]),
      )
      await waitFor(() => database.statements.at(-1) === 'COMMIT')
      counts.push(database.statements.filter(sql => !sql.startsWith('SET ')).length)
    }
    expect(counts).toEqual([20, 20])
    const statements = database.statements.filter(sql => !sql.startsWith('SET '))
    expect(statements.map(sql => sql.trim().split(/\s+/).slice(0, 3).join(' '))).toEqual([
      'START TRANSACTION',
      'INSERT INTO log',
      'SELECT kind.place, (SELECT',
      'SELECT id, space_id',
      'INSERT INTO anomaly_occurrence',
      'INSERT INTO anomaly',
      'INSERT INTO anomaly',
      'INSERT INTO anomaly_comment',
      'SELECT device_id, generation,',
      'INSERT INTO presence_event',
      'INSERT INTO state_change',
      'INSERT INTO metric_minute',
      'INSERT INTO device_status',
      'INSERT INTO log_rollup_fine',
      'INSERT INTO anomaly_rollup_fine',
      'INSERT INTO anomaly_rollup_device',
      'INSERT INTO log_rollup_coarse',
      'INSERT INTO anomaly_rollup_coarse',
      'UPDATE ingest_offset SET',
      'COMMIT',
    ])
  })

  it('trims the log behind what is written and published', async () => {
    ingest = await fixture.start()
    const senders = devices(30)
    await fixture.append(senders.map(deviceId => fixture.log(deviceId)))
    await written()
    await waitFor(async () => {
      const lengths = await Promise.all(
        [...new Set(senders.map(shardOf))].map(shard => redis.ingest.xlen(redisKeys.ingestLog(shard))),
      )
      return lengths.every(length => length === 0)
    })
    expect(await fixture.published('log')).toHaveLength(30)
  })

  it('tells what it does in its metrics', async () => {
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    ingest = await fixture.start({ metrics })
    const [deviceId = ''] = devices(1)
    await fixture.append([fixture.log(deviceId)])
    await waitFor(async () =>
      (await metrics.metrics()).includes('nuvion_ingest_rows_total{table="log",group="test"} 1'),
    )
    const text = await metrics.metrics()
    expect(text).toContain('nuvion_ingest_owned_shards{group="test"} 8')
    for (const metric of await metrics.getMetricsAsJSON()) expect(metric.help).toMatch(/[Rr]ising/)
  })
})

describe('ingest that fails', () => {
  it('publishes after a restart what was committed and not published', async () => {
    const dead = { publish: () => Promise.reject(new Error('the live Redis is away')) }
    ingest = await fixture.start({ livePublisher: dead })
    const senders = devices(10)
    const logs = senders.flatMap(deviceId => Array.from({ length: 20 }, () => fixture.log(deviceId)))
    const [deviceId = ''] = senders
    const anomaly = fixture.anomaly(deviceId)
    await fixture.append(
      [...logs, anomaly, fixture.state(deviceId, 1_000), fixture.presence(deviceId, 1, true)],
      5,
    )
    await written()
    await ingest[Symbol.asyncDispose]()
    expect(await fixture.published('log')).toEqual([])
    ingest = await fixture.start()
    await waitFor(
      async () =>
        (await fixture.published('log')).length >= 200 && (await fixture.published('presence')).length > 0,
    )
    expect([...new Set(ids(await fixture.published('log')))].toSorted()).toEqual(ids(logs).toSorted())
    const [first] = (await fixture.published('log')).filter(event => event.id === logs[0]?.id)
    expect(first).toMatchObject({ lineId: LINE_ID, processId: PROCESS_ID, receivedAt: logs[0]?.receivedAt })
    expect((await fixture.published('state')).map(event => event.at)).toEqual([1_000])
    expect(await fixture.published('anomaly')).toMatchObject([
      { change: 'RAISED', anomaly: { id: anomaly.id, version: 1 } },
    ])
  })

  it('goes on writing while the live Redis is away, and publishes all when it is back', async () => {
    const real = createLivePublisher({ redis: redis.live })
    let isAway = true
    const publish: typeof real.publish = (kind, events) =>
      isAway ? Promise.reject(new Error('away')) : real.publish(kind, events)
    ingest = await fixture.start({ livePublisher: { publish } })
    const senders = devices(5)
    const logs = Array.from({ length: 60 }, (_, i) => fixture.log(senders[i % 5] ?? ''))
    for (const log of logs) {
      await fixture.append([log])
      await written()
    }
    expect(await fixture.rows()).toHaveLength(60)
    isAway = false
    await waitFor(async () => (await fixture.published('log')).length >= 60)
    expect([...new Set(ids(await fixture.published('log')))].toSorted()).toEqual(ids(logs).toSorted())
  })

  it('refuses the commit of an owner whose shards another has taken', async () => {
    // A stale owner: it never renews, and its directory holds it up in the middle of a batch.
    const entered = Promise.withResolvers<void>()
    const resume = Promise.withResolvers<void>()
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    const stale = await fixture.start({
      owner: 'stale',
      metrics,
      limits: { renewIntervalMs: 60_000 },
      directory: {
        async placesOf() {
          entered.resolve()
          await resume.promise
          return new Map()
        },
      },
    })
    const [deviceId = ''] = devices(1)
    const logs = Array.from({ length: 50 }, () => fixture.log(deviceId))
    await fixture.append(logs)
    await entered.promise
    await database.pool.query('UPDATE ingest_offset SET lease_until = NOW(3) - INTERVAL 1 SECOND')
    ingest = await fixture.start({ owner: 'new' })
    await written()
    const more = Array.from({ length: 50 }, () => fixture.log(deviceId))
    await fixture.append(more)
    await written()
    const offsets = async () =>
      (
        await database.pool.query<RowDataPacket[]>('SELECT shard, last_id, fence, owner FROM ingest_offset')
      )[0]
    const before = await offsets()
    resume.resolve()
    await waitFor(async () =>
      (await metrics.metrics()).includes('nuvion_ingest_fences_lost_total{group="test"} 1'),
    )
    expect(await offsets()).toEqual(before)
    await stale[Symbol.asyncDispose]()
    expect(await offsets()).toEqual(before)
    const rows = await fixture.rows()
    expect(ids(rows)).toEqual(ids([...logs, ...more]).toSorted())
    // The stale one knew no place: nothing of it was written.
    expect(rows.every(row => row.line_id === LINE_ID)).toBe(true)
  })

  it('gives its shards back when it is closed, and another one goes on at once', async () => {
    ingest = await fixture.start({ owner: 'first' })
    const standby = await fixture.start({ owner: 'second', limits: { renewIntervalMs: 50 } })
    const [deviceId = ''] = devices(1)
    const started = performance.now()
    await ingest[Symbol.asyncDispose]()
    expect(performance.now() - started).toBeLessThan(1_000)
    await fixture.append([fixture.log(deviceId)])
    await waitFor(async () => (await fixture.published('log')).length === 1)
    ingest = standby
  })
})
