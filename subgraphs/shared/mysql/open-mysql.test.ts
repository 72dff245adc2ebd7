import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { datetime, int, mysqlTable, sql, varchar } from '../../../schema/mysql/drizzle.ts'
import { openTestDatabase, type TestDatabase } from '../testkit/open-test-database.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { openMysql } from './open-mysql.ts'

const thing = mysqlTable('thing', {
  id: int('id').primaryKey(),
  name: varchar('name', { length: 8 }),
  seenAt: datetime('seen_at', { fsp: 3, mode: 'date' }),
})

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ isMigrated: false })
  await database.pool.query(
    'CREATE TABLE thing (id INT PRIMARY KEY, name VARCHAR(8), seen_at DATETIME(3)) CHARACTER SET utf8mb4',
  )
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
})

describe('an open database', () => {
  it('keeps instants and text unchanged, through Drizzle and the pool, and has its clock in UTC', async () => {
    const seenAt = new Date('2026-07-01T12:34:56.789Z')
    await database.db.insert(thing).values({ id: 1, name: '温度🌡', seenAt })
    expect(await database.db.select().from(thing)).toEqual([{ id: 1, name: '温度🌡', seenAt }])
    const [rows] = await database.pool.query('SELECT seen_at FROM thing WHERE seen_at = ?', [seenAt])
    expect(rows).toEqual([{ seen_at: seenAt }])
    const [clock] = await database.pool.query(
      'SELECT ABS(TIMESTAMPDIFF(SECOND, NOW(3), UTC_TIMESTAMP(3))) AS apart',
    )
    expect(clock).toEqual([{ apart: 0 }])
  })

  it('refuses a value that does not fit, whatever the server would do by default', async () => {
    const insert = database.pool.query("INSERT INTO thing (id, name) VALUES (2, 'longer than eight')")
    await expect(insert).rejects.toMatchObject({ code: 'ER_DATA_TOO_LONG' })
  })

  it('runs one statement a call', async () => {
    await expect(database.pool.query('SELECT 1; DROP TABLE thing')).rejects.toMatchObject({
      code: 'ER_PARSE_ERROR',
    })
    expect((await database.pool.query('SELECT COUNT(*) AS n FROM thing'))[0]).toEqual([{ n: 1 }])
  })

  it('shows every statement: of the pool, of a connection, prepared, of Drizzle and of its transactions', async () => {
    database.statements.length = 0
    await database.pool.query('SELECT 1')
    await database.pool.execute('SELECT ?', [2])
    const connection = await database.pool.getConnection()
    await connection.query('SELECT 3')
    connection.release()
    await database.db.execute(sql`SELECT 4`)
    await database.db.transaction(async tx => {
      await tx.select().from(thing)
    })
    const seen = database.statements.map(statement => statement.split(' ').slice(0, 2).join(' '))
    expect(seen).toEqual(['SELECT 1', 'SELECT ?', 'SELECT 3', 'SELECT 4', 'begin', 'select `id`,', 'commit'])
  })

  it('refuses a caller when too many wait, and one that has waited too long', async () => {
    await using mysql = openMysql({ url: database.url, poolSize: 1, maxWaiting: 1, waitTimeoutMs: 50 })
    const held = await mysql.pool.getConnection()
    const waiting = mysql.pool.query('SELECT 1')
    await expect(mysql.pool.query('SELECT 2')).rejects.toThrow('Queue limit reached')
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    held.release()
    expect((await mysql.pool.query('SELECT 3 AS n'))[0]).toEqual([{ n: 3 }])
  })

  it('breaks a connection whose statement is late and goes on with a new one', async () => {
    await using mysql = openMysql({ url: database.url, poolSize: 1, statementTimeoutMs: 100 })
    await expect(mysql.pool.query('SELECT SLEEP(30)')).rejects.toMatchObject({
      code: 'PROTOCOL_SEQUENCE_TIMEOUT',
    })
    expect((await mysql.pool.query('SELECT 1 AS n'))[0]).toEqual([{ n: 1 }])
    const patient = mysql.pool.query({ sql: 'SELECT SLEEP(0.2) AS n', timeout: 5_000 })
    expect((await patient)[0]).toEqual([{ n: 0 }])
  })

  it('survives the loss of all its connections', async () => {
    await using mysql = openMysql({ url: database.url, poolSize: 2 })
    const [rows] = await mysql.pool.query<[{ id: number } & import('mysql2').RowDataPacket]>(
      'SELECT CONNECTION_ID() AS id',
    )
    await database.pool.query('KILL ?', [rows[0].id])
    const answer = await waitFor(async () => (await mysql.pool.query('SELECT 1 AS n'))[0])
    expect(answer).toEqual([{ n: 1 }])
  })
})
