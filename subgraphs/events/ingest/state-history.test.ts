import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IngestItem, StateItem } from '../../../schema/ingest-entry.ts'
import { ensureWeekPartitions } from '../../shared/mysql/week-partitions.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../../shared/testkit/open-test-redis.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { createIngestFixture, type IngestFixture } from './ingest-fixture.ts'
import { MAX_METRIC_LENGTH, MAX_METRICS_PER_STATE } from './metric-minutes.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** A minute's beginning. */
const BASE = Math.floor(Date.now() / MINUTE) * MINUTE - 120 * MINUTE

let database: TestDatabase
let redis: TestRedis
let fixture: IngestFixture
let deviceId: string
beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
})
beforeEach(() => {
  fixture = createIngestFixture(database, redis)
  deviceId = newId()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function select(sql: string, values: unknown[]): Promise<RowDataPacket[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(sql, values)
  return rows.map(row => ({ ...row }) as RowDataPacket)
}

/** Each body is written before the next one comes. */
async function ingestAll(...bodies: IngestItem[][]): Promise<void> {
  await using _ingest = await fixture.start()
  for (const body of bodies) {
    await fixture.append(body)
    await waitFor(() => fixture.isWritten(), { what: 'the end of the log' })
  }
}

const state = (seconds: number, status: StateItem['status'], metrics?: StateItem['metrics']): StateItem => ({
  ...fixture.state(deviceId, BASE + seconds * SECOND, status),
  metrics,
})

/** What is kept, as seconds after BASE and status. */
async function changes(): Promise<[number, string][]> {
  const rows = await select('SELECT at, status FROM state_change WHERE device_id = ? ORDER BY at', [deviceId])
  return rows.map(({ at, status }) => [(at - BASE) / SECOND, status])
}

const minutesOf = () =>
  select(
    `SELECT metric, minute - ? AS minute, last_value AS last, min_value AS min, max_value AS max
     FROM metric_minute WHERE device_id = ? ORDER BY metric, minute`,
    [BASE / MINUTE, deviceId],
  )

describe('the status history of a device', () => {
  it('has a row where the status changed, in one batch or over several', async () => {
    await ingestAll(
      [state(0, 'RUNNING'), state(5, 'RUNNING'), state(10, 'ERROR'), state(15, 'ERROR')],
      [state(20, 'ERROR'), state(25, 'RUNNING')],
      [state(30, 'RUNNING')],
      [state(35, 'IDLE')],
    )
    expect(await changes()).toEqual([
      [0, 'RUNNING'],
      [10, 'ERROR'],
      [25, 'RUNNING'],
      [35, 'IDLE'],
    ])
  })

  it('has a row after a silence, so that what comes late for it stands between the right ones', async () => {
    await ingestAll(
      [state(0, 'RUNNING'), state(5, 'RUNNING')],
      [state(600, 'RUNNING'), state(605, 'RUNNING')],
      [state(100, 'ERROR'), state(105, 'ERROR'), state(110, 'IDLE'), state(115, 'ERROR')],
    )
    const told = await changes()
    expect(told).toEqual([
      [0, 'RUNNING'],
      [100, 'ERROR'],
      [110, 'IDLE'],
      [115, 'ERROR'],
      [600, 'RUNNING'],
      [605, 'RUNNING'],
    ])
    const [row] = await select('SELECT status, state_at FROM device_status WHERE device_id = ?', [deviceId])
    expect(row).toEqual({ status: 'RUNNING', state_at: BASE + 605 * SECOND })
  })

  it('ends with the newest status, whatever comes late', async () => {
    await ingestAll([state(0, 'RUNNING'), state(30, 'RUNNING')], [state(20, 'ERROR')], [state(10, 'STOPPED')])
    expect((await changes()).at(-1)).toEqual([30, 'RUNNING'])
  })

  it('is the same when states are sent again', async () => {
    const first = [state(0, 'RUNNING'), state(5, 'ERROR'), state(10, 'ERROR'), state(15, 'IDLE')]
    await ingestAll(first, first, first.slice(1, 3), first)
    const expected = ['RUNNING', 'ERROR', 'ERROR', 'IDLE']
    const told = await changes()
    for (const [index, status] of expected.entries())
      expect(told.findLast(([at]) => at <= index * 5)?.[1]).toBe(status)
    expect(told).toEqual([
      [0, 'RUNNING'],
      [5, 'ERROR'],
      [15, 'IDLE'],
    ])
  })
})

describe('the minutes of metrics', () => {
  it('have the last, the least and the greatest value, however they come', async () => {
    await ingestAll(
      [state(0, 'RUNNING', { t: 20 }), state(10, 'RUNNING', { t: 35.5 }), state(61, 'RUNNING', { t: 21 })],
      [state(50, 'RUNNING', { t: 22 }), state(30, 'RUNNING', { t: -1e-7 })],
      [state(40, 'RUNNING', { t: 90 })],
      [state(40, 'RUNNING', { t: 90 }), state(62, 'RUNNING', { t: 21 })],
    )
    expect(await minutesOf()).toEqual([
      { metric: 't', minute: 0, last: 22, min: -1e-7, max: 90 },
      { metric: 't', minute: 1, last: 21, min: 21, max: 21 },
    ])
  })

  it('are of numbers only, of so many and with names of such a length', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`m${String(i).padStart(2, '0')}`, i]),
    )
    await ingestAll([
      state(0, 'IDLE', {
        ...{ text: '5', on: true, nothing: null, nested: { a: 1 }, list: [1], '': 3, 'größe 🏭': 1.5e300 },
        ['n'.repeat(MAX_METRIC_LENGTH)]: 1,
        ['n'.repeat(MAX_METRIC_LENGTH + 1)]: 1,
      }),
      state(60, 'IDLE', many),
    ])
    const rows = await minutesOf()
    expect(rows.filter(row => row.minute === 0).map(row => row.metric)).toEqual([
      '',
      'größe 🏭',
      'n'.repeat(MAX_METRIC_LENGTH),
    ])
    expect(rows.find(row => row.metric === 'größe 🏭')?.max).toBe(1.5e300)
    expect(rows.filter(row => row.minute === 1).map(row => row.metric)).toEqual(
      Object.keys(many).slice(0, MAX_METRICS_PER_STATE),
    )
  })
})

describe('reading the history', () => {
  it('touches the weeks asked for only, by the primary key', async () => {
    await ensureWeekPartitions(database.pool)
    const others = Array.from({ length: 200 }, (_, i) => [newId(), BASE + i, 'IDLE'])
    await database.pool.query('INSERT INTO state_change VALUES ?', [
      [...others, ...others.map((_, i) => [deviceId, BASE + i * MINUTE, 'IDLE'])],
    ])
    await database.pool.query('INSERT INTO metric_minute VALUES ?', [
      others.map((_, i) => [deviceId, 't', BASE / MINUTE + i, 1, BASE, 1, 1]),
    ])
    await database.pool.query('ANALYZE TABLE state_change, metric_minute')
    const reads = [
      [
        'SELECT at, status FROM state_change WHERE device_id = ? AND at >= ? AND at < ? ORDER BY at LIMIT 21',
        [deviceId, BASE, BASE + 20 * MINUTE],
      ],
      [
        `SELECT minute, last_value FROM metric_minute
         WHERE device_id = ? AND metric = 't' AND minute >= ? AND minute < ? ORDER BY minute`,
        [deviceId, BASE / MINUTE, BASE / MINUTE + 20],
      ],
    ] as const
    for (const [sql, values] of reads) {
      const [plan] = await select(`EXPLAIN PARTITIONS ${sql}`, [...values])
      expect(plan).toMatchObject({ type: 'range', key: 'PRIMARY' })
      expect(plan?.Extra).not.toContain('filesort')
      expect(String(plan?.partitions).split(',').length).toBeLessThanOrEqual(2)
      expect(await select(sql, [...values])).toHaveLength(20)
    }
  })

  it('counts and lists devices by status with an index that holds both', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => [
      newId(),
      i < 5 ? fixture.spaceId : newId(),
      i % 2,
      i % 5 === 0 ? 'ERROR' : 'RUNNING',
    ])
    await database.pool.query('INSERT INTO device_status (device_id, space_id, online, status) VALUES ?', [
      rows,
    ])
    await database.pool.query('ANALYZE TABLE device_status')
    for (const [condition, key] of [
      ["status = 'ERROR'", 'device_status_status'],
      ['online = 1', 'device_status_online'],
    ]) {
      const [plan] = await select(
        `EXPLAIN SELECT COUNT(*) FROM device_status WHERE space_id = ? AND ${condition}`,
        [fixture.spaceId],
      )
      expect(plan).toMatchObject({ type: 'ref', key, ref: 'const,const' })
      expect(plan?.Extra).toContain('Using index')
    }
  })
})
