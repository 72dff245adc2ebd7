import type { RowDataPacket } from 'mysql2/promise'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics, type Metrics } from '../../shared/metrics.ts'
import { ensureWeekPartitions, WEEK_MS, weekStart } from '../../shared/mysql/week-partitions.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../../shared/uuid-v7.ts'
import { createJobLease } from './job-lease.ts'
import { type RetentionWorkerOptions, startRetentionWorker } from './retention-worker.ts'

const DAY_MS = 86_400_000
/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 25, 13, 30)
const SITE_DAYS = 30

let database: TestDatabase
let metrics: Metrics
let spaceId: string
let deviceId: string

beforeEach(async () => {
  database = await openTestDatabase()
  metrics = createMetrics({ group: 'test', withDefaults: false })
  ;[spaceId, deviceId] = await addSpace(null)
})
afterEach(() => database[Symbol.asyncDispose]())

async function addSpace(retentionDays: number | null): Promise<[spaceId: string, deviceId: string]> {
  const [id, device] = [newId(), newId()]
  await database.pool.query(
    "INSERT INTO space (id, name, timezone, created_at, retention_days) VALUES (?, 'Factory', 'UTC', NOW(3), ?)",
    [id, retentionDays],
  )
  await database.pool.query(
    "INSERT INTO device (id, space_id, code, name, created_at) VALUES (?, ?, ?, 'device', NOW(3))",
    [device, id, device],
  )
  return [id, device]
}

/** Writes one row of each table for every moment. */
async function write(moments: readonly number[], space = spaceId, device = deviceId): Promise<void> {
  const { pool } = database
  for (const at of moments) {
    const quarter = Math.floor(at / 900_000)
    await pool.query(
      `INSERT INTO log (space_id, id, device_id, level, message, clock_replaced, received_at)
       VALUES (?, ?, ?, 'INFO', '', 0, NOW(3))`,
      [space, newIdAt(at), device],
    )
    await pool.query(
      `INSERT INTO anomaly_occurrence (space_id, id, device_id, type, severity, cleared, clock_replaced, received_at)
       VALUES (?, ?, ?, 'heat', 'MINOR', 0, 0, NOW(3))`,
      [space, newIdAt(at), device],
    )
    await pool.query("INSERT INTO presence_event VALUES (?, ?, ?, 'ONLINE')", [space, newIdAt(at), device])
    await pool.query("INSERT INTO state_change VALUES (?, ?, 'IDLE')", [device, at])
    await pool.query("INSERT INTO metric_minute VALUES (?, 'rpm', ?, 1, ?, 1, 1)", [
      ...[device, Math.floor(at / 60_000), at],
    ])
    await pool.query('INSERT INTO log_rollup_fine VALUES (?, ?, ?, ?, ?, 0, 1, 0, 0)', [
      ...[space, quarter, device, newId(), newId()],
    ])
    await pool.query("INSERT INTO anomaly_rollup_fine VALUES (?, ?, ?, 'heat', ?, ?, 0, 1, 0, 0)", [
      ...[space, quarter, device, newId(), newId()],
    ])
    await pool.query('INSERT INTO anomaly_rollup_device VALUES (?, ?, ?, 0, 1, 0, 0)', [
      ...[space, quarter, device],
    ])
    for (const table of ['log_rollup_coarse', 'anomaly_rollup_coarse'])
      await pool.query(`INSERT INTO ${table} VALUES (?, ?, ?, ?, 0, 1, 0, 0)`, [
        ...[space, quarter, newId(), newId()],
      ])
  }
}

/** Moments that rows of each table have, as days before NOW. */
async function read(space = spaceId, device = deviceId): Promise<Record<string, number[]>> {
  const timeOf = 'CONV(CONCAT(LEFT(id, 8), SUBSTR(id, 10, 4)), 16, 10)'
  const select = async (moment: string, table: string, where: string, of: string) => {
    const [rows] = await database.pool.query<RowDataPacket[]>(
      `SELECT ${moment} AS at FROM ${table} WHERE ${where} = ? ORDER BY at`,
      [of],
    )
    return rows.map(({ at }) => Math.round((NOW - Number(at)) / DAY_MS))
  }
  return {
    log: await select(timeOf, 'log', 'space_id', space),
    anomaly_occurrence: await select(timeOf, 'anomaly_occurrence', 'space_id', space),
    presence_event: await select(timeOf, 'presence_event', 'space_id', space),
    state_change: await select('at', 'state_change', 'device_id', device),
    metric_minute: await select('minute * 60000', 'metric_minute', 'device_id', device),
    log_rollup_fine: await select('bucket * 900000', 'log_rollup_fine', 'space_id', space),
    log_rollup_coarse: await select('bucket * 900000', 'log_rollup_coarse', 'space_id', space),
    anomaly_rollup_fine: await select('bucket * 900000', 'anomaly_rollup_fine', 'space_id', space),
    anomaly_rollup_device: await select('bucket * 900000', 'anomaly_rollup_device', 'space_id', space),
    anomaly_rollup_coarse: await select('bucket * 900000', 'anomaly_rollup_coarse', 'space_id', space),
  }
}

const everywhere = (days: readonly number[]) => ({
  ...{ log: days, anomaly_occurrence: days, presence_event: days, state_change: days, metric_minute: days },
  ...{ log_rollup_fine: days, log_rollup_coarse: days },
  ...{ anomaly_rollup_fine: days, anomaly_rollup_device: days, anomaly_rollup_coarse: days },
})

async function weeksOf(table: string): Promise<string[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    `SELECT PARTITION_NAME AS name FROM information_schema.PARTITIONS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY PARTITION_ORDINAL_POSITION`,
    [table],
  )
  return rows.map(({ name }) => name)
}

function start(options: Partial<RetentionWorkerOptions> = {}) {
  return startRetentionWorker({
    pool: database.pool,
    owner: newId(),
    retentionDays: SITE_DAYS,
    logger: createLogger({ level: 'silent', role: 'test' }),
    metrics,
    now: async () => NOW,
    ...options,
  })
}

async function count(name: string, labels: Record<string, string> = {}, of = metrics): Promise<number> {
  const metric = await of.getSingleMetric(name)?.get()
  const values = metric?.values.filter(value =>
    Object.entries(labels).every(([label, text]) => value.labels[label] === text),
  )
  return (values ?? []).reduce((sum, { value }) => sum + value, 0)
}

const sweeps = (outcome: string, of = metrics) =>
  count('nuvion_worker_retention_sweeps_total', { outcome }, of)
/** Waits as long as a loaded machine takes. */
const until = (predicate: () => boolean | Promise<boolean>) => waitFor(predicate, { deadlineMs: 40_000 })
const swept = () => until(async () => (await sweeps('done')) > 0)

/** Lets a worker sweep once, counted from 0. */
async function sweep(options: Partial<RetentionWorkerOptions> = {}): Promise<void> {
  metrics = createMetrics({ group: 'test', withDefaults: false })
  await using _ = start(options)
  await swept()
}

/** Writes an anomaly that was opened 100 days ago and has two comments; answers its id. */
async function writeAnomaly(
  lastOccurredAt: number,
  { space = spaceId, status = 'RESOLVED' }: { space?: string; status?: 'OPEN' | 'RESOLVED' } = {},
): Promise<string> {
  const id = newIdAt(NOW - 100 * DAY_MS)
  await database.pool.query(
    `INSERT INTO anomaly (id, space_id, device_id, type, severity, clock_replaced, received_at, first_occurrence_id,
       last_occurrence_id, occurrences, status, version) VALUES (?, ?, ?, 'heat', 'MINOR', 0, NOW(3), ?, ?, 2, ?, 1)`,
    [id, space, newId(), id, newIdAt(lastOccurredAt), status],
  )
  for (const kind of ['SYSTEM', 'USER'])
    await database.pool.query(
      "INSERT INTO anomaly_comment (id, anomaly_id, space_id, kind, body, created_at) VALUES (?, ?, ?, ?, '', NOW(3))",
      [newId(), id, space, kind],
    )
  return id
}

async function readAnomalies(): Promise<{ anomalies: string[]; commented: string[] }> {
  const [rows] = await database.pool.query<RowDataPacket[]>('SELECT id FROM anomaly')
  const [comments] = await database.pool.query<RowDataPacket[]>(
    'SELECT anomaly_id AS id FROM anomaly_comment',
  )
  const ids = (of: RowDataPacket[]) => of.map(({ id }) => String(id)).toSorted()
  return { anomalies: ids(rows), commented: ids(comments) }
}

describe('the retention worker', () => {
  it('deletes anomalies, resolved or not, by when they occurred last, and their comments', async () => {
    const [shortSpace] = await addSpace(7)
    const kept = [
      await writeAnomaly(NOW - 29 * DAY_MS),
      await writeAnomaly(NOW, { status: 'OPEN' }),
      await writeAnomaly(NOW - 6 * DAY_MS, { space: shortSpace }),
    ]
    for (const days of [31, 32, 33, 50]) await writeAnomaly(NOW - days * DAY_MS)
    await writeAnomaly(NOW - 31 * DAY_MS, { status: 'OPEN' })
    await writeAnomaly(NOW - 8 * DAY_MS, { space: shortSpace })
    await writeAnomaly(NOW - 31 * DAY_MS, { space: newId() })
    database.statements.length = 0
    await sweep({ pace: { maxRows: 2 } })
    expect(await readAnomalies()).toEqual({
      anomalies: kept.toSorted(),
      commented: kept.flatMap(id => [id, id]).toSorted(),
    })
    expect(database.statements.filter(sql => sql.startsWith('DELETE FROM anomaly '))).toHaveLength(3 + 1 + 1)
    expect(await count('nuvion_worker_rows_deleted_total', { table: 'anomaly' })).toBe(7)
    expect(await count('nuvion_worker_rows_deleted_total', { table: 'anomaly_comment' })).toBe(14)
  })

  it('keeps an anomaly that occurs again while it is deleted', async () => {
    const id = await writeAnomaly(NOW - 31 * DAY_MS, { status: 'OPEN' })
    const ingest = await database.pool.getConnection()
    await ingest.beginTransaction()
    await ingest.query('UPDATE anomaly SET last_occurrence_id = ?, occurrences = 3 WHERE id = ?', [
      newIdAt(NOW),
      id,
    ])
    const worker = start()
    await until(() => database.statements.some(sql => sql.includes('FOR UPDATE')))
    await ingest.commit()
    ingest.release()
    await swept()
    await worker[Symbol.asyncDispose]()
    expect(await readAnomalies()).toEqual({ anomalies: [id], commented: [id, id] })
  })

  it('drops weeks that ended before the retention, makes those to come, and keeps the rest', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW, retentionDays: 90 })
    await write([NOW, NOW - 29 * DAY_MS, NOW - 31 * DAY_MS, NOW - 80 * DAY_MS])
    await sweep({ now: async () => NOW + WEEK_MS })
    const weeks = await weeksOf('log')
    expect(weeks[0]).toBe('w20261102')
    expect(weeks.slice(-2)).toEqual(['w20261228', 'rest'])
    for (const table of ['anomaly_occurrence', 'presence_event', 'state_change', 'metric_minute'])
      expect(await weeksOf(table), table).toEqual(weeks)
    expect((await read()).log).toEqual([0])
    expect(await count('nuvion_worker_partitions_dropped_total', { table: 'log' })).toBe(10)
  })

  it('keeps a week until all of it is older than the retention, to the millisecond', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW, retentionDays: 60 })
    const end = weekStart(NOW - 40 * DAY_MS) + WEEK_MS
    const name = `w${new Date(end - WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '')}`
    await sweep({ now: async () => end + SITE_DAYS * DAY_MS - 1 })
    expect(await weeksOf('log')).toContain(name)
    await sweep({ now: async () => end + SITE_DAYS * DAY_MS })
    expect(await weeksOf('log')).not.toContain(name)
  })

  it('keeps what the space with the longest retention keeps, and deletes of the others row by row', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW, retentionDays: 90 })
    const [longSpace, longDevice] = await addSpace(60)
    const [shortSpace, shortDevice] = await addSpace(7)
    const days = [0, 6, 8, 29, 31, 59, 80]
    const moments = days.map(day => NOW - day * DAY_MS)
    await write(moments)
    await write(moments, longSpace, longDevice)
    await write(moments, shortSpace, shortDevice)
    await sweep({ pace: { maxRows: 2 } })
    expect(await read(longSpace, longDevice)).toEqual(everywhere([59, 31, 29, 8, 6, 0]))
    expect(await read()).toEqual(everywhere([29, 8, 6, 0]))
    expect(await read(shortSpace, shortDevice)).toEqual(everywhere([6, 0]))
    expect(await count('nuvion_worker_rows_deleted_total', { table: 'log' })).toBe(2 + 4)
  })

  it('never drops the week of today, whatever the retention', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW })
    for (const moment of [weekStart(NOW), weekStart(NOW) + DAY_MS, weekStart(NOW) + WEEK_MS - 1]) {
      await write([moment])
      await sweep({ now: async () => moment, retentionDays: 1 })
      expect(await weeksOf('log')).toContain('w20261123')
      expect(((await read()).log ?? []).length).toBeGreaterThan(0)
    }
  })

  it('deletes no more than a batch with a statement', async () => {
    const [space, device] = await addSpace(7)
    await write(
      Array.from({ length: 25 }, (_, i) => NOW - 10 * DAY_MS - i * 900_000),
      space,
      device,
    )
    database.statements.length = 0
    await sweep({ pace: { maxRows: 10 } })
    expect(await read(space, device)).toEqual(everywhere([]))
    const deletes = database.statements.filter(statement => statement.startsWith('DELETE FROM log '))
    expect(deletes).toHaveLength(3)
  })

  it('deletes counts of spaces that are gone', async () => {
    await write([NOW, NOW - 31 * DAY_MS])
    await database.pool.query('DELETE FROM space')
    await sweep()
    const { log_rollup_fine, log_rollup_coarse, ...others } = await read()
    expect([log_rollup_fine, log_rollup_coarse]).toEqual([[0], [0]])
    const { anomaly_rollup_fine, anomaly_rollup_device, anomaly_rollup_coarse } = others
    expect([anomaly_rollup_fine, anomaly_rollup_device, anomaly_rollup_coarse]).toEqual([[0], [0], [0]])
  })

  it('leaves a week whose table is in use, keeps nobody waiting for long, and drops it with the next sweep', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW, retentionDays: 60 })
    const reader = await database.pool.getConnection()
    await reader.beginTransaction()
    await reader.query('SELECT * FROM log')
    const worker = start({ intervalMs: 0, pollMs: 50 })
    const startedAt = performance.now()
    await until(async () => (await count('nuvion_worker_partitions_left_total', { table: 'log' })) > 0)
    // Behind a waiting ALTER this waits too, until that gives up.
    await write([NOW])
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    await reader.rollback()
    reader.release()
    await until(async () => (await weeksOf('log'))[0] === 'w20261026')
    await worker[Symbol.asyncDispose]()
    expect((await read()).log).toEqual([0])
  })

  it('does not lose a write while it deletes', async () => {
    const [space, device] = await addSpace(7)
    await write(
      Array.from({ length: 40 }, (_, i) => NOW - 10 * DAY_MS - i * 900_000),
      space,
      device,
    )
    const worker = start({ pace: { maxRows: 3, pauseFactor: 1 } })
    for (let i = 0; i < 20; i++) await write([NOW - i * 900_000], space, device)
    await swept()
    await worker[Symbol.asyncDispose]()
    expect(await read(space, device)).toEqual(everywhere(Array.from({ length: 20 }, () => 0)))
  })

  it('is one at a time on a site, and is followed when it ends', async () => {
    const all = Array.from({ length: 3 }, () => createMetrics({ group: 'test', withDefaults: false }))
    const total = async () => (await Promise.all(all.map(one => sweeps('done', one)))).reduce((a, b) => a + b)
    const running = { now: 0, most: 0 }
    const now = async () => {
      running.most = Math.max(running.most, ++running.now)
      await database.pool.query('SELECT SLEEP(0.05)')
      running.now--
      return NOW
    }
    const workers = all.map(one => start({ metrics: one, now, intervalMs: 0, pollMs: 5 }))
    await until(async () => (await total()) >= 6)
    await workers[0]?.[Symbol.asyncDispose]()
    const before = await total()
    await until(async () => (await total()) >= before + 2)
    await Promise.all(workers.map(worker => worker[Symbol.asyncDispose]()))
    expect(running.most).toBe(1)
  })

  it('starts when the database comes back', async () => {
    const { pool } = database
    await pool.query('RENAME TABLE job_lease TO away')
    await using _ = start({ pollMs: 20 })
    await until(() => database.statements.some(statement => statement.includes('INTO job_lease')))
    await pool.query('RENAME TABLE away TO job_lease')
    await swept()
  })
})

describe('a job lease', () => {
  const lease = (owner: string) =>
    createJobLease({ pool: database.pool, job: 'test', owner, leaseSeconds: 60 })

  it('is one owner’s until it is released or runs out', async () => {
    const both = [lease('a'), lease('b')] as const
    const taken = await Promise.all(both.map(one => one.acquire(0)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    const [first, second] = taken[0] ? both : ([both[1], both[0]] as const)
    expect([await first.renew(), await second.renew()]).toEqual([true, false])
    await first.release(false)
    expect(await second.acquire(3_600_000)).toBe(true)
    await database.pool.query('UPDATE job_lease SET lease_until = NOW(3) - INTERVAL 1 SECOND')
    expect(await first.acquire(0)).toBe(true)
    expect(await second.renew()).toBe(false)
  })

  it('is not given for what was done lately, whoever did it', async () => {
    await lease('a').acquire(0)
    await lease('a').release(true)
    expect(await lease('b').acquire(3_600_000)).toBe(false)
    expect(await lease('b').acquire(0)).toBe(true)
  })
})
