import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testkit/open-test-database.ts'
import { idLowerBound, newId, newIdAt } from '../uuid-v7.ts'
import { ensureWeekPartitions, weekStart } from './week-partitions.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const NOW = Date.UTC(2026, 10, 25, 13, 30)

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})

async function partitions(table: string): Promise<{ name: string; bound: string }[]> {
  const [rows] = await database.pool.query<RowDataPacket[]>(
    `SELECT PARTITION_NAME AS name, PARTITION_DESCRIPTION AS bound FROM information_schema.PARTITIONS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY PARTITION_ORDINAL_POSITION`,
    [table],
  )
  return rows.map(({ name, bound }) => ({ name, bound: bound.replaceAll("'", '') }))
}

async function insert(id: string, spaceId = newId()): Promise<void> {
  await database.pool.query(
    "INSERT INTO log (space_id, id, device_id, level, message, clock_replaced, received_at) VALUES (?, ?, ?, 'INFO', '', 0, NOW(3))",
    [spaceId, id, newId()],
  )
}

describe('weekly partitions', () => {
  it('begin a week on Monday 00:00 UTC', () => {
    expect(new Date(weekStart(NOW)).toISOString()).toBe('2026-11-23T00:00:00.000Z')
    expect(weekStart(weekStart(NOW))).toBe(weekStart(NOW))
    expect(weekStart(weekStart(NOW) - 1)).toBe(weekStart(NOW) - WEEK_MS)
  })

  it('are made from the beginning of the retention to four weeks ahead, by several processes at once', async () => {
    await insert(newIdAt(NOW - 10 * DAY_MS))
    await insert(newIdAt(NOW + 300 * DAY_MS))
    await Promise.all(Array.from({ length: 4 }, () => ensureWeekPartitions(database.pool, { now: NOW })))
    for (const table of ['log', 'anomaly_occurrence', 'presence_event']) {
      const made = await partitions(table)
      expect(made.map(({ name }) => name)).toEqual([
        ...Array.from({ length: 18 }, (_, week) => {
          const start = new Date(Date.UTC(2026, 7, 24) + week * WEEK_MS)
          return `w${start.toISOString().slice(0, 10).replaceAll('-', '')}`
        }),
        'rest',
      ])
      expect(made[13]).toEqual({ name: 'w20261123', bound: idLowerBound(Date.UTC(2026, 10, 30)) })
    }
    const end = Date.UTC(2026, 10, 30)
    expect((await partitions('state_change'))[13]).toEqual({ name: 'w20261123', bound: String(end) })
    expect((await partitions('metric_minute'))[13]).toEqual({
      name: 'w20261123',
      bound: String(end / 60_000),
    })
    expect((await database.pool.query<RowDataPacket[]>('SELECT id FROM log'))[0]).toHaveLength(2)
  })

  it('cost one SELECT when nothing is missing, and one ALTER per table when a week has passed', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW })
    database.statements.length = 0
    await ensureWeekPartitions(database.pool, { now: NOW + DAY_MS })
    expect(database.statements.map(sql => sql.split(' ')[0])).toEqual(['SELECT'])
    database.statements.length = 0
    await ensureWeekPartitions(database.pool, { now: NOW + WEEK_MS })
    expect(database.statements.map(sql => sql.split(' ')[0])).toEqual(['SELECT', ...Array(5).fill('ALTER')])
    expect((await partitions('log')).slice(-2).map(({ name }) => name)).toEqual(['w20261228', 'rest'])
  })

  it('are pruned by a range of ids', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW })
    const [plan] = await database.pool.query<RowDataPacket[]>(
      'EXPLAIN PARTITIONS SELECT id FROM log WHERE space_id = ? AND id >= ? AND id < ?',
      [newId(), idLowerBound(Date.UTC(2026, 10, 23)), idLowerBound(Date.UTC(2026, 10, 26))],
    )
    expect(plan[0]?.partitions).toBe('w20261123')
    const [byIds] = await database.pool.query<RowDataPacket[]>(
      'EXPLAIN PARTITIONS SELECT id FROM log WHERE space_id = ? AND id IN (?)',
      [newId(), [newIdAt(NOW), newIdAt(NOW - 2 * WEEK_MS)]],
    )
    expect(byIds[0]?.partitions).toBe('w20261109,w20261123')
  })

  it('refuse an id that is there, at the very edges of a week too', async () => {
    await ensureWeekPartitions(database.pool, { now: NOW })
    const edges = [weekStart(NOW) - 1, weekStart(NOW), weekStart(NOW) + WEEK_MS - 1, NOW]
    for (const id of edges.map(newIdAt)) {
      const spaceId = newId()
      await insert(id, spaceId)
      await expect(insert(id, spaceId)).rejects.toMatchObject({ errno: 1062 })
      const [rows] = await database.pool.query<RowDataPacket[]>('SELECT id FROM log WHERE space_id = ?', [
        spaceId,
      ])
      expect(rows).toHaveLength(1)
    }
    const [plan] = await database.pool.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS n FROM log PARTITION (w20261123) WHERE id < ? OR id >= ?',
      [idLowerBound(weekStart(NOW)), idLowerBound(weekStart(NOW) + WEEK_MS)],
    )
    expect(plan[0]?.n).toBe(0)
  })
})
