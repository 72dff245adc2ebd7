import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IngestItem, SHARD_COUNT, shardOf } from '../../../schema/ingest-entry.ts'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../../schema/mysql/ingest-tables.ts'
import { createMetrics } from '../../shared/metrics.ts'
import { migrate } from '../../shared/mysql/migrate.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { createBatchWriter } from './batch-writer.ts'
import { createDeadLetters } from './dead-letters.ts'
import { countEvents } from './event-rollups.ts'
import { createIngestFixture, type directory, LINE_ID, PROCESS_ID, silentLogger } from './ingest-fixture.ts'
import { createIngestMetrics } from './ingest-metrics.ts'
import { findRollupFaults } from './rollup-faults.ts'
import type { OwnedShard } from './shard-leases.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

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

async function select(sql: string, values: unknown[]): Promise<RowDataPacket[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(sql, values)
  return rows
}

/** Rows of a fine rollup, without their space and device; all have the place of the fixture's devices. */
async function fineOf(rollup: 'log' | 'anomaly', deviceId: string): Promise<object[]> {
  const rows = await select(`SELECT * FROM ${rollup}_rollup_fine WHERE device_id = ?`, [deviceId])
  return rows.map(({ space_id: _space, device_id: _device, line_id, process_id, ...row }) => {
    expect([line_id, process_id]).toEqual([LINE_ID, PROCESS_ID])
    return row
  })
}

const NO_LOGS = { debug: 0, info: 0, warn: 0, error: 0 }
const NO_ANOMALIES = { info: 0, minor: 0, major: 0, critical: 0 }

/** Writes items as one ingest does, and waits for it. */
async function ingestAll(
  fixture: ReturnType<typeof createIngestFixture>,
  ...bodies: IngestItem[][]
): Promise<void> {
  await using _ingest = await fixture.start()
  for (const body of bodies) {
    await fixture.append(body)
    await waitFor(() => fixture.isWritten(), { what: 'the end of the log' })
  }
}

describe('the rollups', () => {
  it('count events by device, level or severity, type, and quarter of an hour', async () => {
    const fixture = createIngestFixture(database, redis)
    const deviceId = newId()
    const bucket = Math.floor(Date.now() / ROLLUP_BUCKET_MS) - 4
    const start = bucket * ROLLUP_BUCKET_MS
    const at = (ms: number) => ({ id: newIdAt(start + ms) })
    await ingestAll(fixture, [
      fixture.log(deviceId, at(0)),
      fixture.log(deviceId, at(ROLLUP_BUCKET_MS - 1)),
      fixture.log(deviceId, at(ROLLUP_BUCKET_MS)),
      fixture.log(deviceId, { ...at(-1), level: 'ERROR' }),
      fixture.anomaly(deviceId, { ...at(5), type: 'Übertemperatur 🌡' }),
      fixture.anomaly(deviceId, { ...at(6), type: 'Übertemperatur 🌡' }),
      fixture.anomaly(deviceId, { ...at(7), severity: 'CRITICAL' }),
    ])
    expect(await fineOf('log', deviceId)).toEqual([
      { bucket: bucket - 1, ...NO_LOGS, error: 1 },
      { bucket, ...NO_LOGS, info: 2 },
      { bucket: bucket + 1, ...NO_LOGS, info: 1 },
    ])
    expect(await fineOf('anomaly', deviceId)).toEqual([
      { bucket, type: 'SPINDLE_TEMPERATURE', ...NO_ANOMALIES, critical: 1 },
      { bucket, type: 'Übertemperatur 🌡', ...NO_ANOMALIES, major: 2 },
    ])
    const coarse = await select('SELECT * FROM anomaly_rollup_coarse WHERE space_id = ?', [fixture.spaceId])
    expect(coarse).toEqual([
      {
        ...{ space_id: fixture.spaceId, bucket, line_id: LINE_ID, process_id: PROCESS_ID },
        ...{ info: 0, minor: 0, major: 2, critical: 1 },
      },
    ])
    const ofDevice = await select('SELECT * FROM anomaly_rollup_device WHERE device_id = ?', [deviceId])
    expect(ofDevice).toMatchObject([{ bucket, info: 0, minor: 0, major: 2, critical: 1 }])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('keep what happened where it happened when its device moves', async () => {
    const fixture = createIngestFixture(database, redis)
    const deviceId = newId()
    const start = (Math.floor(Date.now() / ROLLUP_BUCKET_MS) - 4) * ROLLUP_BUCKET_MS
    for (const place of [LINE_ID, PROCESS_ID]) {
      const directory = {
        placesOf: async () => new Map([[deviceId, { spaceId: '', lineId: place, processId: place }]]),
      }
      await using _ingest = await fixture.start({ directory })
      const id = { id: newIdAt(start) }
      await fixture.append([fixture.log(deviceId, id), fixture.anomaly(deviceId, { id: newIdAt(start) })])
      await waitFor(() => fixture.isWritten())
    }
    for (const rollup of ['log_rollup_fine', 'anomaly_rollup_fine']) {
      const rows = await select(`SELECT line_id FROM ${rollup} WHERE device_id = ?`, [deviceId])
      expect(rows.map(row => row.line_id).toSorted()).toEqual([LINE_ID, PROCESS_ID].toSorted())
    }
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('count what comes weeks late when it happened, and what is sent again not at all', async () => {
    const fixture = createIngestFixture(database, redis)
    const deviceId = newId()
    const other = newId()
    const then = Date.now() - 60 * DAY_MS
    const late = fixture.log(deviceId, { id: newIdAt(then) })
    const anomaly = fixture.anomaly(deviceId, { id: newIdAt(then) })
    await ingestAll(
      fixture,
      [fixture.log(deviceId), late, anomaly],
      [late, anomaly, late],
      [fixture.log(other, { id: late.id }), fixture.anomaly(other, { id: anomaly.id }), fixture.log(other)],
    )
    const bucket = Math.floor(then / ROLLUP_BUCKET_MS)
    expect(await fineOf('log', deviceId)).toMatchObject([
      { bucket, info: 1 },
      { bucket: expect.any(Number), info: 1 },
    ])
    expect(await fineOf('anomaly', deviceId)).toMatchObject([{ bucket, major: 1 }])
    expect(await fineOf('log', other)).toMatchObject([{ info: 1 }])
    expect(await fineOf('anomaly', other)).toEqual([])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('do not count word that an anomaly is over', async () => {
    const fixture = createIngestFixture(database, redis)
    const deviceId = newId()
    await ingestAll(fixture, [
      fixture.anomaly(deviceId),
      fixture.anomaly(deviceId, { cleared: true }),
      fixture.anomaly(deviceId, { cleared: true, type: 'OTHER' }),
    ])
    expect(await fineOf('anomaly', deviceId)).toMatchObject([{ type: 'SPINDLE_TEMPERATURE', major: 1 }])
    expect((await fixture.rows('anomaly_occurrence')).map(row => row.cleared)).toEqual([0, 1, 1])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('have a place for devices without one', async () => {
    const fixture = createIngestFixture(database, redis)
    const ingest = await fixture.start({ directory: { placesOf: async () => new Map() } })
    await fixture.append([fixture.log(newId()), fixture.log(newId())])
    await waitFor(() => fixture.isWritten())
    await ingest[Symbol.asyncDispose]()
    expect(
      await select('SELECT line_id, process_id, info FROM log_rollup_coarse WHERE space_id = ?', [
        fixture.spaceId,
      ]),
    ).toEqual([{ line_id: NO_PLACE, process_id: NO_PLACE, info: 2 }])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('are found at fault when they are', async () => {
    const fixture = createIngestFixture(database, redis)
    const [deviceId, other] = [newId(), newId()]
    await ingestAll(fixture, [fixture.log(deviceId), fixture.anomaly(other)])
    await database.pool.query('UPDATE log_rollup_fine SET info = 3 WHERE device_id = ?', [deviceId])
    await database.pool.query('DELETE FROM anomaly_rollup_coarse WHERE space_id = ?', [fixture.spaceId])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toMatchObject([
      { rollup: 'log_rollup_fine', excess: { ...NO_LOGS, info: 2 } },
      { rollup: 'anomaly_rollup_coarse', excess: { ...NO_ANOMALIES, major: -1 } },
    ])
  })

  it('hold what was logged before they were there', async () => {
    await using empty = await openTestDatabase({ isMigrated: false })
    const all = new URL('../../../schema/mysql/migrations', import.meta.url).pathname
    const before = await mkdtemp(join(tmpdir(), 'nuvion-migrations-'))
    for (const name of await readdir(all)) if (name < '0005') await cp(join(all, name), join(before, name))
    await migrate({ url: empty.url }, { dir: before })
    await rm(before, { recursive: true })
    const [spaceId, deviceId] = [newId(), newId()]
    const logs = [0, 1, 2, 30 * DAY_MS].map(ago => [
      spaceId,
      newIdAt(Date.now() - ago),
      deviceId,
      'WARN',
      '',
      0,
    ])
    await empty.pool.query(
      'INSERT INTO log (space_id, id, device_id, level, message, clock_replaced, received_at) VALUES ?',
      [logs.map(row => [...row, new Date()])],
    )
    await empty.pool.query('INSERT INTO device_status (device_id, space_id, state) VALUES ?', [
      [
        [deviceId, spaceId, '{"status":"IDLE","metrics":null}'],
        [newId(), spaceId, null],
      ],
    ])
    await migrate({ url: empty.url }, { dir: all })
    expect(await findRollupFaults(empty.pool, spaceId)).toEqual([])
    const [totals] = await empty.pool.query<RowDataPacket[]>('SELECT SUM(warn) AS n FROM log_rollup_coarse')
    expect(Number(totals[0]?.n)).toBe(4)
    const [statuses] = await empty.pool.query<RowDataPacket[]>(
      'SELECT status FROM device_status ORDER BY status',
    )
    expect(statuses.map(row => row.status)).toEqual([null, 'IDLE'])
  })
})

describe('two writers of one space', () => {
  it('write rows in one order, whatever the order of events', () => {
    const fixture = createIngestFixture(database, redis)
    const now = Date.now()
    const minutes = Array.from({ length: 200 }, (_, i) => ({ id: newIdAt(now - i * 60_000) }))
    const logs = minutes.map(at => fixture.log(newId(), at))
    const anomalies = minutes.map(at => fixture.anomaly(newId(), at))
    const rows = countEvents({ logs, anomalies }, new Map())
    expect(countEvents({ logs: logs.toReversed(), anomalies: anomalies.toReversed() }, new Map())).toEqual(
      rows,
    )
    for (const ofTable of Object.values(rows)) {
      const keys = ofTable.map(row => row.slice(0, -4).join(' '))
      expect(keys).toEqual(keys.toSorted())
      expect(keys.length).toBeGreaterThan(10)
    }
  })

  it('add to the same rows without a deadlock, whatever comes, and lose no count', async () => {
    const fixture = createIngestFixture(database, redis)
    const now = Date.now()
    const senders = Array.from({ length: 60 }, newId)
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    const counted = createIngestMetrics(metrics)
    await database.pool.query('DELETE FROM ingest_offset')
    await database.pool.query(
      'INSERT INTO ingest_offset (shard, last_id, fence, owner, lease_until) VALUES ?',
      [Array.from({ length: SHARD_COUNT }, (_, shard) => [shard, '0-0', 1, 'test', new Date(now + HOUR_MS)])],
    )
    let sent = 0
    async function run(owned: readonly number[]): Promise<void> {
      const own = senders.filter(deviceId => owned.includes(shardOf(deviceId)))
      const shards: OwnedShard[] = owned.map(shard => ({ shard, fence: 1, lastId: '0-0' }))
      const writer = createBatchWriter({
        ...{ pool: database.pool, directory: manyPlaces, metrics: counted, logger: silentLogger },
        deadLetters: createDeadLetters({ redis: redis.ingest }),
      })
      for (let batch = 1; batch <= 60; batch++) {
        const items = Array.from({ length: 100 }, (): IngestItem => {
          const deviceId = own[Math.floor(Math.random() * own.length)] ?? ''
          const id = newIdAt(now - Math.floor(Math.random() * HOUR_MS))
          const severity = Math.random() < 0.5 ? 'MAJOR' : 'CRITICAL'
          return Math.random() < 0.5
            ? fixture.log(deviceId, { id })
            : fixture.anomaly(deviceId, { id, severity })
        })
        const ends = new Map(owned.map(shard => [shard, `${batch}-0`]))
        const written = await writer.write(
          { items, malformed: [], entryCount: 1, ends, oldestAt: now },
          shards,
          new AbortController().signal,
        )
        sent += (written?.logs.length ?? 0) + (written?.anomalies.length ?? 0)
      }
    }
    await Promise.all([run([0, 1, 2, 3]), run([4, 5, 6, 7])])
    expect(sent).toBe(12_000)
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
    expect((await metrics.getSingleMetric('nuvion_ingest_retries_total')?.get())?.values).toEqual([])
    await database.pool.query('DELETE FROM ingest_offset')
  })
})

/** Devices stand in one of three lines and processes. */
const manyPlaces: typeof directory = {
  async placesOf(ids) {
    const places = [null, LINE_ID, PROCESS_ID]
    return new Map(
      ids.map(id => {
        const place = places[shardOf(id) % 3] ?? null
        return [id, { spaceId: '', lineId: place, processId: place }]
      }),
    )
  },
}

describe('reading the rollups of a space', () => {
  it('touches the rows of the range only', async () => {
    const [spaceId, other] = [newId(), newId()]
    await fill(database.pool, spaceId)
    await fill(database.pool, other)
    await database.pool.query('ANALYZE TABLE anomaly_rollup_fine, anomaly_rollup_coarse')
    const day = 96
    for (const [table, rowsPerBucket] of [
      ['anomaly_rollup_fine', 10],
      ['anomaly_rollup_coarse', 4],
    ] as const) {
      const query = `SELECT SUM(major), SUM(critical) FROM ${table}
        WHERE space_id = ? AND bucket >= ? AND bucket < ?`
      const [plan] = await select(`EXPLAIN ${query}`, [spaceId, 1_000, 1_000 + day])
      expect(plan).toMatchObject({ type: 'range', key: 'PRIMARY' })
      const [connection] = [await database.pool.getConnection()]
      try {
        await connection.query('FLUSH STATUS')
        await connection.query(query, [spaceId, 1_000, 1_000 + day])
        const [handlers] = await connection.query<RowDataPacket[]>(
          "SHOW SESSION STATUS WHERE Variable_name = 'Handler_read_next'",
        )
        expect(Number(handlers[0]?.Value)).toBe(day * rowsPerBucket)
      } finally {
        connection.release()
      }
    }
  })
})

/** Four days of rollups: 10 devices, 4 processes. */
async function fill(pool: Pool, spaceId: string): Promise<void> {
  const devices = Array.from({ length: 10 }, newId)
  const places = Array.from({ length: 4 }, newId)
  const fine: unknown[][] = []
  const coarse: unknown[][] = []
  for (let bucket = 900; bucket < 900 + 4 * 96; bucket++) {
    for (const deviceId of devices)
      fine.push([spaceId, bucket, deviceId, 'T', NO_PLACE, NO_PLACE, 0, 0, 1, 0])
    for (const place of places) coarse.push([spaceId, bucket, place, place, 0, 0, 1, 0])
  }
  await pool.query('INSERT INTO anomaly_rollup_fine VALUES ?', [fine])
  await pool.query('INSERT INTO anomaly_rollup_coarse VALUES ?', [coarse])
}
