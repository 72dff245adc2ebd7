import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { space } from '../../schema/mysql/device-tables.ts'
import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { ROLLUPS } from '../events/ingest/event-rollups.ts'
import { createIngestFixture, type IngestFixture } from '../events/ingest/ingest-fixture.ts'
import { findRollupFaults } from '../events/ingest/rollup-faults.ts'
import { openMysql } from '../shared/mysql/open-mysql.ts'
import { ensureWeekPartitions } from '../shared/mysql/week-partitions.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { createRandom } from '../shared/testkit/random.ts'
import { runOps } from '../shared/testkit/run-ops.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { rebuildRollups } from './rebuild-rollups.ts'

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))
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

async function createFixture(retentionDays: number | null = null): Promise<IngestFixture> {
  const fixture = createIngestFixture(database, redis)
  await database.db
    .insert(space)
    .values({ id: fixture.spaceId, name: 'Factory', timezone: 'UTC', retentionDays, createdAt: new Date() })
  return fixture
}

async function ingestAll(fixture: IngestFixture, items: Parameters<IngestFixture['append']>[0]) {
  await using _ingest = await fixture.start()
  await fixture.append(items)
  await waitFor(() => fixture.isWritten())
}

/** Runs a command on the test's database; answers what it printed, or rejects with what it said. */
async function ops(...args: string[]): Promise<string> {
  return await runOps(args, serverEnv())
}

function serverEnv() {
  return { DATABASE_URL: database.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl }
}
const rebuild = (spaceId: string, from: number, to: number) =>
  ops('rebuild-rollups', '--space', spaceId, '--from', iso(from), '--to', iso(to))
const iso = (epochMs: number) => new Date(epochMs).toISOString()
const quarterOf = (epochMs: number) => Math.floor(epochMs / ROLLUP_BUCKET_MS)

/** Makes every rollup of a space wrong: too much, too little, and rows that should not be. */
async function spoil({ spaceId }: IngestFixture): Promise<void> {
  for (const [table, { counts }] of Object.entries(ROLLUPS)) {
    await database.pool.query(`UPDATE ${table} SET ${counts[1]} = ${counts[1]} + 3 WHERE space_id = ?`, [
      spaceId,
    ])
    await database.pool.query(`DELETE FROM ${table} WHERE space_id = ? ORDER BY bucket LIMIT 2`, [spaceId])
  }
}

const SPOILED_QUARTERS = 48

/** A space with 600 events of some hours whose rollups are wrong. */
async function createSpoiled() {
  const fixture = await createFixture()
  const random = createRandom(7)
  const devices = Array.from({ length: 5 }, newId)
  const start = (quarterOf(Date.now()) - SPOILED_QUARTERS - 1) * ROLLUP_BUCKET_MS
  const end = start + SPOILED_QUARTERS * ROLLUP_BUCKET_MS
  const items = Array.from({ length: 600 }, (_, i) => {
    const at = { id: newIdAt(start + Math.floor(random() * (end - start))) }
    const device = devices[i % devices.length] ?? ''
    return i % 2 === 0 ? fixture.log(device, at) : fixture.anomaly(device, { ...at, type: `T${i % 3}` })
  })
  await ingestAll(fixture, items)
  await spoil(fixture)
  expect(await findRollupFaults(database.pool, fixture.spaceId)).not.toEqual([])
  return { fixture, start, end }
}

describe('rebuilding rollups', () => {
  it('neither loses nor doubles a count while ingest writes into the same quarters', async () => {
    const fixture = await createFixture()
    const random = createRandom(4)
    const devices = Array.from({ length: 12 }, newId)
    const start = quarterOf(Date.now()) - 7
    const items = (count: number) =>
      Array.from({ length: count }, () => {
        const at = { id: newIdAt((start + random() * 8) * ROLLUP_BUCKET_MS) }
        const device = devices[Math.floor(random() * devices.length)] ?? ''
        return random() < 0.5
          ? fixture.log(device, { ...at, level: random() < 0.5 ? 'WARN' : 'INFO' })
          : fixture.anomaly(device, { ...at, type: `T${Math.floor(random() * 4)}`, cleared: random() < 0.1 })
      })
    await using _ingest = await fixture.start()
    await fixture.append(items(300))
    await waitFor(() => fixture.isWritten())
    await spoil(fixture)
    expect(await findRollupFaults(database.pool, fixture.spaceId)).not.toEqual([])

    let isRebuilding = true
    let written = 300
    const writing = (async () => {
      while (isRebuilding) {
        await fixture.append(items(100), 20)
        written += 100
        await waitFor(() => fixture.isWritten(), { deadlineMs: 20_000 })
      }
    })()
    let rebuilds = 0
    const { signal } = new AbortController()
    while (rebuilds < 40 || written < 3_000)
      for (let quarter = start; quarter < start + 8; quarter += 4) {
        const quarters = { spaceId: fixture.spaceId, fromQuarter: quarter, toQuarter: quarter + 4 }
        await rebuildRollups(database.pool, quarters, signal)
        rebuilds++
      }
    isRebuilding = false
    await writing
    expect((await fixture.rows()).length + (await fixture.rows('anomaly_occurrence')).length).toBe(written)
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('is a command that leaves what lies outside of its whole quarters', async () => {
    const fixture = await createFixture()
    const device = newId()
    const start = (quarterOf(Date.now()) - 40) * ROLLUP_BUCKET_MS
    const at = (quarters: number) => ({ id: newIdAt(start + quarters * ROLLUP_BUCKET_MS) })
    await ingestAll(
      fixture,
      Array.from({ length: 20 }, (_, i) => fixture.log(device, at(i))),
    )
    await database.pool.query('UPDATE log_rollup_coarse SET info = 7 WHERE space_id = ?', [fixture.spaceId])
    await expect(ops('check-rollups', '--space', fixture.spaceId)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('log_rollup_coarse'),
      stderr: expect.stringContaining('20 rows of rollups differ from the events'),
    })
    const printed = await rebuild(fixture.spaceId, start + 1, start + 11.5 * ROLLUP_BUCKET_MS)
    expect(printed).toBe('10 quarters of an hour rebuilt, of 10 events\n')
    const [rows] = await database.pool.query<RowDataPacket[]>(
      'SELECT info FROM log_rollup_coarse WHERE space_id = ? ORDER BY bucket',
      [fixture.spaceId],
    )
    expect(rows.map(({ info }) => info)).toEqual([7, ...Array(10).fill(1), ...Array(9).fill(7)])
    await rebuild(fixture.spaceId, start, Date.now())
    expect(await ops('check-rollups', '--space', fixture.spaceId)).toBe(
      'The rollups agree with the events.\n',
    )
  })

  it('keeps what is done when it is interrupted, and says how to go on', async () => {
    const fixture = await createFixture()
    const start = (quarterOf(Date.now()) - 40) * ROLLUP_BUCKET_MS
    const device = newId()
    await ingestAll(
      fixture,
      Array.from({ length: 16 }, (_, i) =>
        fixture.log(device, { id: newIdAt(start + i * ROLLUP_BUCKET_MS) }),
      ),
    )
    await database.pool.query('UPDATE log_rollup_coarse SET info = 7 WHERE space_id = ?', [fixture.spaceId])
    // Somebody holds the third hour, and by it the end of the second.
    await using others = openMysql({ url: database.url, poolSize: 1 })
    const other = await others.pool.getConnection()
    await other.beginTransaction()
    await other.query('UPDATE log_rollup_coarse SET warn = 1 WHERE space_id = ? AND bucket = ?', [
      fixture.spaceId,
      quarterOf(start) + 8,
    ])
    const args = ['--space', fixture.spaceId, '--from', iso(start), '--to', iso(start + 4 * HOUR_MS)]
    const child = spawn(process.execPath, [PROGRAM, 'rebuild-rollups', ...args], {
      env: { PATH: process.env.PATH, ...serverEnv() },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    const infos = async () => {
      const [rows] = await database.pool.query<RowDataPacket[]>(
        'SELECT info FROM log_rollup_coarse WHERE space_id = ? ORDER BY bucket',
        [fixture.spaceId],
      )
      return rows.map(({ info }) => info)
    }
    await waitFor(async () => (await infos())[3] === 1, { deadlineMs: 20_000, what: 'an hour' })
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
    await other.rollback()
    other.release()
    expect(said).toContain(`--from ${iso(start + HOUR_MS)} --to ${iso(start + 4 * HOUR_MS)}`)
    expect(await infos()).toEqual([...Array(4).fill(1), ...Array(12).fill(7)])
    await rebuild(fixture.spaceId, start + HOUR_MS, start + 4 * HOUR_MS)
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('agrees with the events when it runs twice at once, over counts that are wrong or missing', async () => {
    const { fixture, start, end } = await createSpoiled()
    const printed = await Promise.all([1, 2].map(() => rebuild(fixture.spaceId, start, end)))
    expect(printed).toEqual(Array(2).fill(`${SPOILED_QUARTERS} quarters of an hour rebuilt, of 600 events\n`))
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
    for (const table of Object.keys(ROLLUPS))
      await database.pool.query(`DELETE FROM ${table} WHERE space_id = ?`, [fixture.spaceId])
    // Where there are no rows, both lock the same gaps, and one has to give way.
    await Promise.all([1, 2, 3].map(() => rebuild(fixture.spaceId, start, end)))
    expect(await findRollupFaults(database.pool, fixture.spaceId)).toEqual([])
  })

  it('leaves no half of an hour when it is killed, and goes on from anywhere', async () => {
    const { fixture, start, end } = await createSpoiled()
    const { spaceId } = fixture
    const faultsBefore = async (epochMs: number) =>
      (await findRollupFaults(database.pool, spaceId, { from: start, to: epochMs })).length
    // Somebody holds a row of the third hour, so that it is killed amid a transaction.
    await using others = openMysql({ url: database.url, poolSize: 1 })
    const other = await others.pool.getConnection()
    await other.beginTransaction()
    await other.query('SELECT 1 FROM log_rollup_fine WHERE space_id = ? AND bucket >= ? LIMIT 1 FOR UPDATE', [
      spaceId,
      quarterOf(start) + 8,
    ])
    const killAfterHours = async (hours: number) => {
      const args = ['--space', spaceId, '--from', iso(start), '--to', iso(end)]
      const child = spawn(process.execPath, [PROGRAM, 'rebuild-rollups', ...args], {
        env: { PATH: process.env.PATH, ...serverEnv() },
        stdio: 'ignore',
      })
      await waitFor(async () => (await faultsBefore(start + hours * HOUR_MS)) === 0, { deadlineMs: 20_000 })
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      expect(await ended).toEqual([null, 'SIGKILL'])
    }
    await killAfterHours(1)
    await other.rollback()
    other.release()
    expect(await faultsBefore(end)).toBeGreaterThan(0)
    await spoil(fixture)
    // Wherever it is just then; what it has begun may still hold its locks when the next one comes.
    await killAfterHours(2)
    await rebuild(spaceId, start, end)
    expect(await findRollupFaults(database.pool, spaceId)).toEqual([])
  })

  it('refuses what is older than the events of the space, and says from where on it can', async () => {
    const fixture = await createFixture(7)
    const now = Date.now()
    const first = Math.ceil((now - 7 * DAY_MS) / ROLLUP_BUCKET_MS) * ROLLUP_BUCKET_MS
    await expect(rebuild(fixture.spaceId, now - 8 * DAY_MS, now)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`past their retention.*--from ${iso(first).slice(0, 14)}`)),
    })
  })

  it('refuses quarters of which there are counts, but no events', async () => {
    const fixture = await createFixture()
    const start = (quarterOf(Date.now()) - 40) * ROLLUP_BUCKET_MS
    const device = newId()
    await ingestAll(fixture, [
      fixture.log(device, { id: newIdAt(start) }),
      fixture.log(device, { id: newIdAt(start + HOUR_MS) }),
    ])
    await database.pool.query('DELETE FROM log WHERE space_id = ? ORDER BY id LIMIT 1', [fixture.spaceId])
    await expect(rebuild(fixture.spaceId, start, start + 2 * HOUR_MS)).rejects.toMatchObject({
      stderr: expect.stringContaining(`--from ${iso(start + HOUR_MS)}`),
    })
    expect(await rebuild(fixture.spaceId, start + HOUR_MS, start + 2 * HOUR_MS)).toContain('of 1 events')
  })

  it('refuses weeks that have been dropped', async () => {
    await using other = await openTestDatabase()
    await ensureWeekPartitions(other.pool, { retentionDays: 20 })
    const spaceId = newId()
    await other.db.insert(space).values({ id: spaceId, name: 'F', timezone: 'UTC', createdAt: new Date() })
    const [[oldest]] = await other.pool.query<RowDataPacket[]>(
      "SELECT MIN(PARTITION_NAME) AS name FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'log' AND PARTITION_NAME LIKE 'w%'",
    )
    const monday = String(oldest?.name).replace(/w(....)(..)(..)/, '$1-$2-$3')
    const args = ['--space', spaceId, '--from', iso(Date.now() - 30 * DAY_MS), '--to', iso(Date.now())]
    const env = { DATABASE_URL: other.url, REDIS_URL: redis.liveUrl, REDIS_INGEST_URL: redis.ingestUrl }
    await expect(runOps(['rebuild-rollups', ...args], env)).rejects.toMatchObject({
      stderr: expect.stringContaining(`--from ${monday}T00:00:00.000Z`),
    })
  })

  it.each([
    [
      ['rebuild-rollups', '--space', 'x', '--from', '2026-01-01', '--to', '2026-01-02'],
      'not the id of a space',
    ],
    [
      ['rebuild-rollups', '--space', newId(), '--from', 'yesterday', '--to', '2026-01-02'],
      'is a moment such as',
    ],
    [
      ['rebuild-rollups', '--space', newId(), '--from', '2026-01-01T00:01Z', '--to', '2026-01-01T00:29Z'],
      'no whole quarter',
    ],
    [['rebuild-rollups', '--space', newId()], 'takes --space, --from and --to'],
    [['check-rollups'], 'takes --space'],
  ])('does not understand %j', async (args, message) => {
    await expect(ops(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it.each([
    ['check-rollups', '--space', newId()],
    ['rebuild-rollups', '--space', newId(), '--from', '2026-01-01', '--to', '2026-01-02'],
  ])('fails when there is no such space: %s', async (...args) => {
    await expect(ops(...args)).rejects.toMatchObject({ code: 1, stderr: `There is no space ${args[2]}.\n` })
  })
})
