import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testkit/open-test-database.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { createDatabase } from './create-database.ts'
import { migrate } from './migrate.ts'
import { acquireMigrationLock } from './migration-lock.ts'
import { withDatabase } from './mysql-address.ts'

const BREAK = '\n--> statement-breakpoint\n'

let dir: string
let database: TestDatabase

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'nuvion-migrations-'))
  database = await openTestDatabase({ isMigrated: false })
})

afterEach(async () => {
  await database[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

const write = (name: string, ...statements: string[]) =>
  writeFileSync(join(dir, name), statements.join(BREAK))
const run = (leaseMs?: number) => migrate({ url: database.url }, { dir, leaseMs })
const count = async (table: string) => (await database.pool.query(`SELECT COUNT(*) AS n FROM ${table}`))[0]

describe('migrate', () => {
  it('applies what is new, in the order of the numbers, and then nothing', async () => {
    write('0002_fill.sql', 'INSERT INTO thing VALUES (1)')
    write(
      '0001_thing.sql',
      'CREATE TABLE thing (id INT PRIMARY KEY)',
      'ALTER TABLE thing ADD COLUMN name VARCHAR(8)',
    )
    write('0002_fill.sql', "INSERT INTO thing VALUES (1, 'a;b')")
    expect(await run()).toEqual(['0001_thing.sql', '0002_fill.sql'])
    expect(await run()).toEqual([])
    write('0003_more.sql', 'INSERT INTO thing (id) VALUES (2)')
    expect(await run()).toEqual(['0003_more.sql'])
    expect(await count('thing')).toEqual([{ n: 2 }])
  })

  it('lets several programs start at once: each file runs exactly once', async () => {
    write(
      '0001_thing.sql',
      'CREATE TABLE thing (id INT PRIMARY KEY AUTO_INCREMENT)',
      'INSERT INTO thing VALUES ()',
    )
    write('0002_more.sql', 'INSERT INTO thing VALUES ()')
    const applied = await Promise.all([run(), run(), run(), run()])
    expect(applied.flat().sort()).toEqual(['0001_thing.sql', '0002_more.sql'])
    expect(await count('thing')).toEqual([{ n: 2 }])
  })

  it('resumes in the middle of a file, and lets the statement that failed be mended', async () => {
    write(
      '0001_thing.sql',
      'CREATE TABLE thing (id INT)',
      'INSERT INTO thing VALUES (1)',
      'INSERT INTO nowhere VALUES (2)',
    )
    await expect(run()).rejects.toThrow('Statement 3 of the migration 0001_thing.sql failed')
    write(
      '0001_thing.sql',
      'CREATE TABLE thing (id INT)',
      'INSERT INTO thing VALUES (1)',
      'INSERT INTO thing VALUES (2)',
    )
    expect(await run()).toEqual(['0001_thing.sql'])
    expect(await count('thing')).toEqual([{ n: 2 }])
  })

  it('goes on after a crash between a DDL statement and its record', async () => {
    write('0001_thing.sql', 'CREATE TABLE thing (id INT)', 'INSERT INTO nowhere VALUES (1)')
    await expect(run()).rejects.toThrow('Statement 2')
    // What a crash leaves: the table is there, its record says that the statement was begun.
    await database.pool.query(
      'UPDATE schema_migration SET done_statements = 0, is_statement_started = 1, checksum = SHA2("", 256)',
    )
    write('0001_thing.sql', 'CREATE TABLE thing (id INT)', 'INSERT INTO thing VALUES (1)')
    expect(await run()).toEqual(['0001_thing.sql'])
    expect(await count('thing')).toEqual([{ n: 1 }])
  })

  it('takes a table that was there before for an error, not for a crash', async () => {
    await database.pool.query('CREATE TABLE thing (other INT)')
    write('0001_thing.sql', 'CREATE TABLE thing (id INT)')
    await expect(run()).rejects.toMatchObject({ cause: { code: 'ER_TABLE_EXISTS_ERROR' } })
  })

  it.each([
    ['a changed statement', 'CREATE TABLE thing (id BIGINT)'],
    ['an added statement', `CREATE TABLE thing (id INT)${BREAK}INSERT INTO thing VALUES (1)`],
    ['no statement any more', ''],
  ])('refuses an applied file with %s', async (_what, text) => {
    write('0001_thing.sql', 'CREATE TABLE thing (id INT)')
    await run()
    write('0001_thing.sql', text)
    await expect(run()).rejects.toThrow('0001_thing.sql was changed after it had been applied')
  })

  it('refuses a database that is newer than the code', async () => {
    write('0001_thing.sql', 'CREATE TABLE thing (id INT)')
    write('0002_more.sql', 'INSERT INTO thing VALUES (1)')
    await run()
    rmSync(join(dir, '0002_more.sql'))
    await expect(run()).rejects.toThrow('newer than this program: it has had 0002_more.sql')
  })

  it('refuses a file that comes before one that was applied, and names that are wrong', async () => {
    write('0002_thing.sql', 'CREATE TABLE thing (id INT)')
    await run()
    write('0001_late.sql', 'CREATE TABLE late (id INT)')
    await expect(run()).rejects.toThrow('0001_late.sql comes before 0002_thing.sql')
    write('0002_again.sql', 'SELECT 1')
    await expect(run()).rejects.toThrow('Two migrations have the number 0002')
    rmSync(join(dir, '0002_again.sql'))
    write('late.sql', 'SELECT 1')
    await expect(run()).rejects.toThrow('called NNNN_name.sql')
  })

  it('waits for the lease of a migrating program that died, and only as long', async () => {
    write('0001_thing.sql', 'CREATE TABLE thing (id INT)')
    await using _ = await acquireMigrationLock(database.pool, {
      leaseMs: 60_000,
      deadlineMs: 1_000,
      owner: 'died',
    })
    await expect(migrate({ pool: database.pool }, { dir, lockDeadlineMs: 100 })).rejects.toThrow(
      'has been migrating',
    )
    await database.pool.query(
      'UPDATE schema_migration_lock SET owner = ?, lease_until = NOW(3) + INTERVAL 200000 MICROSECOND',
      [randomUUID()],
    )
    const [before] = await database.pool.query('SHOW TABLES LIKE "thing"')
    expect(before).toEqual([])
    expect(await run()).toEqual(['0001_thing.sql'])
  })

  it('has its own lock back at once when it alone can be of its name', async () => {
    write('0001_first.sql', 'CREATE TABLE again (id INT)')
    await using _ = await acquireMigrationLock(database.pool, {
      leaseMs: 60_000,
      deadlineMs: 1_000,
      owner: 'site-1',
    })
    const options = { dir, lockDeadlineMs: 1_000 }
    await expect(migrate({ url: database.url }, options)).rejects.toThrow('Another program')
    expect(await migrate({ url: database.url }, { ...options, owner: 'site-1' })).toEqual(['0001_first.sql'])
    // What has nothing to do takes no lock.
    expect(await migrate({ url: database.url }, options)).toEqual([])
  })

  it('keeps its lease during a statement that takes longer than the lease', async () => {
    write('0001_slow.sql', 'CREATE TABLE thing (id INT)', 'DO SLEEP(0.9)', 'INSERT INTO thing VALUES (1)')
    const applied = await Promise.all([run(300), run(300)])
    expect(applied.flat()).toEqual(['0001_slow.sql'])
    expect(await count('thing')).toEqual([{ n: 1 }])
  })

  it('stops before the next statement when its lease was taken', async () => {
    write('0001_slow.sql', 'CREATE TABLE thing (id INT)', 'DO SLEEP(0.5)', 'INSERT INTO thing VALUES (1)')
    const migrating = run(90)
    const settled = expect(migrating).rejects.toThrow('lease on the migration lock was lost')
    const steal = async () => {
      const [result] = await database.pool.query(
        'UPDATE schema_migration_lock SET owner = "another", lease_until = NOW(3) + INTERVAL 1 HOUR WHERE owner IS NOT NULL',
      )
      return 'affectedRows' in result && result.affectedRows === 1
    }
    await waitFor(
      async () => ((await database.pool.query('SHOW TABLES LIKE "thing"'))[0] as unknown[]).length === 1,
    )
    await waitFor(steal)
    await settled
    expect(await count('thing')).toEqual([{ n: 0 }])
  })
})

describe('createDatabase', () => {
  it('creates the database that is missing and leaves one that is there', async () => {
    const name = `test_${randomUUID()}\`x`
    const url = withDatabase(database.url, name)
    expect(await createDatabase(url)).toBe(true)
    expect(await createDatabase(url)).toBe(false)
    await database.pool.query('DROP DATABASE ??', [name])
  })
})
