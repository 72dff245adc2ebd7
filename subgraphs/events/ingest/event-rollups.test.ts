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

const fineOf = (deviceId: string) =>
  select(
    `SELECT kind, bucket, severity, type, total FROM event_rollup_fine
     WHERE device_id = ? ORDER BY kind, bucket, severity, type`,
    [deviceId],
  )

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
    const heat = { kind: 'anomaly', bucket }
    expect(await fineOf(deviceId)).toEqual([
      { ...heat, severity: 'CRITICAL', type: 'SPINDLE_TEMPERATURE', total: 1 },
      { ...heat, severity: 'MAJOR', type: 'Übertemperatur 🌡', total: 2 },
      { kind: 'log', bucket: bucket - 1, severity: 'ERROR', type: '', total: 1 },
      { kind: 'log', bucket, severity: 'INFO', type: '', total: 2 },
      { kind: 'log', bucket: bucket + 1, severity: 'INFO', type: '', total: 1 },
    ])
    const coarse = await select(
      "SELECT line_id, process_id, severity, total FROM event_rollup_coarse WHERE space_id = ? AND kind = 'anomaly' AND bucket = ? ORDER BY severity",
      [fixture.spaceId, bucket],
    )
    const place = { line_id: LINE_ID, process_id: PROCESS_ID }
    expect(coarse).toEqual([
      { ...place, severity: 'CRITICAL', total: 1 },
      { ...place, severity: 'MAJOR', total: 2 },
    ])
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
    expect((await fineOf(deviceId)).filter(row => row.bucket === bucket)).toEqual([
      { kind: 'anomaly', bucket, severity: 'MAJOR', type: 'SPINDLE_TEMPERATURE', total: 1 },
      { kind: 'log', bucket, severity: 'INFO', type: '', total: 1 },
    ])
    expect(await fineOf(other)).toMatchObject([{ kind: 'log', total: 1 }])
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
    expect(await fineOf(deviceId)).toMatchObject([{ kind: 'anomaly', type: 'SPINDLE_TEMPERATURE', total: 1 }])
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
      await select('SELECT line_id, process_id, total FROM event_rollup_coarse WHERE space_id = ?', [
        fixture.spaceId,
      ]),
    ).toEqual([{ line_id: NO_PLACE, process_id: NO_PLACE, total: 2 }])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('are found at fault when they are', async () => {
    const fixture = createIngestFixture(database, redis)
    const [deviceId, other] = [newId(), newId()]
    await ingestAll(fixture, [fixture.log(deviceId), fixture.anomaly(other)])
    await database.pool.query('UPDATE event_rollup_fine SET total = 3 WHERE device_id = ?', [deviceId])
    await database.pool.query('DELETE FROM event_rollup_coarse WHERE space_id = ? AND kind = ?', [
      fixture.spaceId,
      'anomaly',
    ])
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toMatchObject([
      { rollup: 'fine', kind: 'log', excess: 2 },
      { rollup: 'coarse', kind: 'anomaly', excess: -1 },
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
    const [totals] = await empty.pool.query<RowDataPacket[]>(
      'SELECT SUM(total) AS n FROM event_rollup_coarse',
    )
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
    const events = Array.from({ length: 200 }, (_, i) =>
      fixture.log(newId(), { id: newIdAt(now - i * 60_000), level: i % 2 === 0 ? 'WARN' : 'DEBUG' }),
    )
    const { fine, coarse } = countEvents(events, new Map())
    expect(countEvents(events.toReversed(), new Map())).toEqual({ fine, coarse })
    const keys = (rows: typeof fine) => rows.map(row => row.slice(0, -1).join(' '))
    expect(keys(fine)).toEqual(keys(fine).toSorted())
    expect(keys(coarse)).toEqual(keys(coarse).toSorted())
    expect(new Set(keys(coarse)).size).toBeLessThan(100)
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
    const [row] = await select('SELECT SUM(total) AS n FROM event_rollup_coarse WHERE space_id = ?', [
      fixture.spaceId,
    ])
    expect(Number(row?.n)).toBe(12_000)
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
  it('touches the rows of the kind and range only', async () => {
    const [spaceId, other] = [newId(), newId()]
    await fill(database.pool, spaceId)
    await fill(database.pool, other)
    await database.pool.query('ANALYZE TABLE event_rollup_fine, event_rollup_coarse')
    const day = 96
    for (const [table, rowsPerBucket] of [
      ['event_rollup_fine', 10],
      ['event_rollup_coarse', 4],
    ] as const) {
      const query = `SELECT severity, SUM(total) FROM ${table}
        WHERE space_id = ? AND kind = 'anomaly' AND bucket >= ? AND bucket < ? GROUP BY severity`
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

/** Four days of rollups: 10 devices, 4 processes, logs and anomalies. */
async function fill(pool: Pool, spaceId: string): Promise<void> {
  const devices = Array.from({ length: 10 }, newId)
  const places = Array.from({ length: 4 }, newId)
  const fine: unknown[][] = []
  const coarse: unknown[][] = []
  for (let bucket = 900; bucket < 900 + 4 * 96; bucket++)
    for (const kind of ['log', 'anomaly']) {
      for (const deviceId of devices) fine.push([spaceId, kind, bucket, deviceId, 'INFO', 'T', 1])
      for (const place of places) coarse.push([spaceId, kind, bucket, place, place, 'INFO', 1])
    }
  await pool.query('INSERT INTO event_rollup_fine VALUES ?', [fine])
  await pool.query('INSERT INTO event_rollup_coarse VALUES ?', [coarse])
}
