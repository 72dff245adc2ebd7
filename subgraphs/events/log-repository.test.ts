import type { PoolConnection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../schema/mysql/drizzle.ts'
import { SELECT_WITH_DEADLINE, tellDeadline } from '../shared/mysql/read-deadline.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { idLowerBound, newId, newIdAt } from '../shared/uuid-v7.ts'
import { countLogs, findLogsForUser, listLogs, listLogsOfDevices } from './log-repository.ts'
import { type LogSelection, readLogSelection } from './log-selection.ts'

const START = Date.UTC(2026, 0, 1)
const WEEK_MS = 7 * 24 * 3_600_000
const ROWS = 12_000
const PAGE = 21

const spaceId = newId()
const deviceIds = Array.from({ length: 12 }, newId)
const lineIds = [newId(), newId()]
const processIds = [newId(), newId(), newId()]
/** Where the oldest log of all was made, and no other. */
const [silentLine, silentProcess] = [newId(), newId()]
/** Ids by age, oldest first, spread over four weeks. */
const ids = Array.from({ length: ROWS }, (_, i) => newIdAt(START + (i * 4 * WEEK_MS) / ROWS))
/** The only ERROR is the oldest of all. */
const levelOf = (i: number) => (i === 0 ? 'ERROR' : i % 100 === 0 ? 'WARN' : 'INFO')

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  const weeks = [1, 2, 3].map(
    week => `PARTITION w${week} VALUES LESS THAN ('${idLowerBound(START + week * WEEK_MS)}')`,
  )
  await database.pool.query(
    `ALTER TABLE log PARTITION BY RANGE COLUMNS (id) (${weeks}, PARTITION rest VALUES LESS THAN (MAXVALUE))`,
  )
  const rows = ids.map((id, i) => [
    spaceId,
    id,
    deviceIds[i % 12],
    i === 0 ? silentLine : lineIds[i % 2],
    i === 0 ? silentProcess : processIds[i % 3],
    levelOf(i),
    i === 0 ? '100% of Needle_1!' : 'message',
    null,
    false,
    new Date(START),
  ])
  for (let i = 0; i < rows.length; i += 2_000)
    await database.pool.query('INSERT INTO log VALUES ?', [rows.slice(i, i + 2_000)])
  await database.pool.query('ANALYZE TABLE log')
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  database.statements.length = 0
})

interface Plan extends RowDataPacket {
  table: string | null
  type: string | null
  key: string | null
  Extra: string | null
  partitions: string | null
}

/** Plans of the tables that the one statement sent so far reads, and the rows that running it reads. */
async function inspect() {
  expect(database.statements).toHaveLength(1)
  // What sets its deadline cannot be explained.
  const statement = (database.statements[0] ?? '').replace(/^\/\*M! SET STATEMENT .*? \*\/ /, '')
  const connection = await database.pool.getConnection()
  try {
    const [plans] = await connection.query<Plan[]>(`EXPLAIN PARTITIONS ${statement}`)
    await connection.query('FLUSH STATUS')
    await connection.query(statement)
    return { plans: plans.filter(plan => plan.table === 'log'), rowsRead: await countRowsRead(connection) }
  } finally {
    connection.release()
  }
}

async function countRowsRead(connection: PoolConnection): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
  // Reads of temporary tables are counted in rnd_next; those of the table itself come by an index.
  return rows
    .filter(row => row.Variable_name !== 'Handler_read_rnd_next')
    .reduce((sum, row) => sum + Number(row.Value), 0)
}

async function expectIndexed(key: string, maxRowsRead: number) {
  const { plans, rowsRead } = await inspect()
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) {
    expect(plan.type).not.toMatch(/ALL|index$/)
    expect(plan.Extra ?? '').not.toMatch(/filesort|temporary/)
  }
  expect(plans.map(plan => plan.key)).toContain(key)
  expect(rowsRead).toBeLessThanOrEqual(maxRowsRead)
  return plans
}

const select = (filter: Parameters<typeof readLogSelection>[1] = null): LogSelection =>
  readLogSelection(spaceId, filter)
const newest = { direction: 'forward', afterId: null, limit: PAGE } as const
const after = { ...newest, afterId: ids[ROWS / 2] ?? '' }
const before = { ...after, direction: 'backward' } as const
/** A partition gives its first row before they are merged. */
const PARTITIONS = 4

describe('the newest page of a space', () => {
  it.each([
    ['from the newest on', newest],
    ['from the oldest on', { ...newest, direction: 'backward' } as const],
    ['after a cursor', after],
    ['before a cursor', before],
  ])('reads only its rows, %s', async (_, walk) => {
    const logs = await listLogs(database.db, select(), walk)
    const start = walk.afterId === null ? 0 : ROWS / 2 + (walk.direction === 'forward' ? 0 : 1)
    const end = walk.afterId === null ? ROWS : ROWS / 2
    const expected =
      walk.direction === 'forward' ? ids.slice(0, end).toReversed() : ids.slice(start, start + PAGE)
    expect(logs.map(log => log.id)).toEqual(expected.slice(0, PAGE))
    await expectIndexed('PRIMARY', PAGE + 2 * PARTITIONS)
  })

  it('opens only the weeks of its range', async () => {
    const from = new Date(START + WEEK_MS + 1_000)
    const to = new Date(START + 2 * WEEK_MS - 1_000)
    await listLogs(database.db, select({ from, to }), newest)
    const [plan] = await expectIndexed('PRIMARY', PAGE + 2)
    expect(plan?.partitions).toBe('w2')
  })
})

describe('the page of some devices', () => {
  it('reads a page of each and the rows of one', async () => {
    const logs = await listLogs(database.db, select({ deviceIds }), newest)
    expect(logs.map(log => log.id)).toEqual(ids.slice(-PAGE).toReversed())
    await expectIndexed('log_device', 12 * (PAGE + 2 * PARTITIONS) + 2 * PAGE)
  })

  it('of one device reads only its rows', async () => {
    await listLogs(database.db, select({ deviceIds: deviceIds.slice(0, 1) }), after)
    await expectIndexed('log_device', PAGE + 2 * PARTITIONS)
  })
})

describe('the page of some levels', () => {
  it('of a level with one row, the oldest, reads that row', async () => {
    const logs = await listLogs(database.db, select({ levels: ['ERROR'] }), newest)
    expect(logs.map(log => log.id)).toEqual([ids[0]])
    await expectIndexed('log_level', 1 + 2 * PARTITIONS)
  })

  it('of several levels reads a page of each and the rows of one', async () => {
    const logs = await listLogs(database.db, select({ levels: ['ERROR', 'WARN'] }), after)
    expect(logs).toHaveLength(PAGE)
    await expectIndexed('log_level', 2 * (PAGE + 2 * PARTITIONS) + 2 * PAGE)
  })
})

describe('the page of a line or a process', () => {
  /** A page of each level, and the rows of one. */
  const fourLevels = 4 * (PAGE + 2 * PARTITIONS) + 2 * PAGE
  it.each([
    ['log_line', 'a line', { lineId: lineIds[1] }, (i: number) => i % 2 === 1, fourLevels],
    ['log_line', 'a silent line', { lineId: silentLine }, (i: number) => i === 0, 1 + 8 * PARTITIONS + 2],
    ['log_line', 'a line of nowhere', { lineId: newId() }, () => false, 8 * PARTITIONS],
    [
      'log_line',
      'a level of a line',
      { lineId: lineIds[0], levels: ['WARN'] as const },
      (i: number) => i > 0 && i % 100 === 0,
      PAGE + 2 * PARTITIONS,
    ],
    [
      'log_line',
      'a silent level of a line',
      { lineId: lineIds[0], levels: ['ERROR'] as const },
      () => false,
      2 * PARTITIONS,
    ],
    ['log_process', 'a process', { processId: processIds[1] }, (i: number) => i % 3 === 1, fourLevels],
    [
      'log_process',
      'a silent process',
      { processId: silentProcess },
      (i: number) => i === 0,
      1 + 8 * PARTITIONS + 2,
    ],
    [
      'log_process',
      'levels of a process',
      { processId: processIds[0], levels: ['WARN', 'ERROR'] as const },
      (i: number) => i > 0 && i % 300 === 0,
      2 * (PAGE + 2 * PARTITIONS) + 2 * PAGE,
    ],
    [
      'log_process',
      'a silent process on its line',
      { lineId: silentLine, processId: silentProcess },
      (i: number) => i === 0,
      1 + 8 * PARTITIONS + 2,
    ],
  ])('by %s reads only its rows: %s', async (key, _, filter, test, maxRowsRead) => {
    const logs = await listLogs(database.db, select(filter), newest)
    const expected = ids.filter((_, i) => test(i))
    expect(logs.map(log => log.id)).toEqual(expected.slice(-PAGE).toReversed())
    await expectIndexed(key, maxRowsRead)
  })
})

describe('any filter', () => {
  const filters = [{}, { deviceIds: deviceIds.slice(0, 1) }, { deviceIds: deviceIds.slice(0, 3) }].flatMap(
    devices =>
      [{}, { levels: ['WARN'] as const }, { levels: ['WARN', 'INFO'] as const }].flatMap(levels =>
        [
          {},
          { lineId: lineIds[0] },
          { processId: processIds[0] },
          { lineId: lineIds[0], processId: processIds[0] },
        ].flatMap(places =>
          [{}, { from: new Date(START + WEEK_MS), to: new Date(START + 2 * WEEK_MS - 1_000) }].flatMap(
            range =>
              ['from' in range ? { text: 'MESS' } : {}, {}].map(text => ({
                ...devices,
                ...levels,
                ...places,
                ...range,
                ...text,
              })),
          ),
        ),
      ),
  )

  const middle = { direction: 'backward', afterId: ids[4_500] ?? '', limit: PAGE } as const
  it.each([newest, middle])('is read by an index, in its order: $direction', async walk => {
    for (const filter of filters) {
      database.statements.length = 0
      await listLogs(database.db, select(filter), walk)
      const { plans } = await inspect()
      expect(plans.length).toBeGreaterThan(0)
      for (const plan of plans) {
        expect(plan.type, JSON.stringify(filter)).toMatch(/^(range|ref|eq_ref)$/)
        expect(plan.Extra ?? '', JSON.stringify(filter)).not.toMatch(/filesort|temporary/)
        if ('from' in filter && plan.type !== 'eq_ref') expect(plan.partitions).toBe('w2')
      }
    }
  })

  it('is counted by an index', async () => {
    for (const filter of filters) {
      database.statements.length = 0
      await countLogs(database.db, [select(filter)])
      const { plans } = await inspect()
      for (const plan of plans) {
        expect(plan.type, JSON.stringify(filter)).toMatch(/^(range|ref)$/)
        if ('from' in filter) expect(plan.partitions).toBe('w2')
      }
    }
  })
})

describe('a text', () => {
  const oldest = { from: new Date(START), to: new Date(START + 3_600_000) }
  it.each(['100%', 'of needle', 'NEEDLE_1!', '100% of Needle_1!'])('is found in any case: %s', async text => {
    const logs = await listLogs(database.db, select({ ...oldest, text }), newest)
    expect(logs.map(log => log.id)).toEqual(ids.slice(0, 1))
  })

  it.each(['100_', 'n%e', '1!!', '%%', "' OR 1=1", '\\'])('has no special characters: %s', async text => {
    expect(await listLogs(database.db, select({ ...oldest, text }), newest)).toEqual([])
  })

  it('is broken off when finding it takes too long', async () => {
    const slow = sql`${SELECT_WITH_DEADLINE} SLEEP(20)`
    const startedAt = performance.now()
    await expect(tellDeadline(database.db.execute(slow))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})

describe('the newest logs of many devices', () => {
  it('are one statement that reads only their rows', async () => {
    const requests = deviceIds.map(deviceId => ({ spaceId, deviceId, walk: newest }))
    const answers = await listLogsOfDevices(database.db, requests)
    for (const [d, logs] of answers.entries()) {
      const own = ids.filter((_, i) => i % 12 === d)
      expect(logs.map(log => log.id)).toEqual(own.slice(-PAGE).toReversed())
    }
    await expectIndexed('log_device', 12 * (PAGE + 2 * PARTITIONS))
  })

  it('are none in a space that is not the device’s', async () => {
    const request = { spaceId: newId(), deviceId: deviceIds[0] ?? '', walk: newest }
    expect(await listLogsOfDevices(database.db, [request])).toEqual([[]])
  })
})

describe('counting', () => {
  it('reads no further than it counts', async () => {
    expect(await countLogs(database.db, [select()])).toEqual([10_001])
    const { plans, rowsRead } = await inspect()
    expect(plans.map(plan => plan.key)).toEqual(['PRIMARY'])
    expect(rowsRead).toBeLessThanOrEqual(10_001 + 2 * PARTITIONS)
  })

  it('counts many selections in one statement, by the index that fits each', async () => {
    const selections = [
      select({ deviceIds: deviceIds.slice(0, 2) }),
      select({ levels: ['WARN', 'ERROR'] }),
      select({ from: new Date(START + 3 * WEEK_MS) }),
    ]
    expect(await countLogs(database.db, selections)).toEqual([2_000, 120, 3_000])
    const { plans } = await inspect()
    expect(plans.map(plan => plan.key)).toEqual(['log_device', 'log_level', 'PRIMARY'])
  })
})

describe('logs by id', () => {
  it('are looked up by the primary key in the spaces of the user', async () => {
    const userId = newId()
    await database.pool.query('INSERT INTO space (id, name, timezone, created_at) VALUES (?, ?, ?, ?)', [
      spaceId,
      'Factory',
      'UTC',
      new Date(START),
    ])
    await database.pool.query('INSERT INTO membership VALUES (?, ?, ?, ?)', [
      spaceId,
      userId,
      'VIEWER',
      new Date(START),
    ])
    database.statements.length = 0
    const wanted = ids.slice(0, 3)
    const logs = await findLogsForUser(database.db, userId, wanted)
    expect(logs.map(log => log.id).sort()).toEqual(wanted)
    await expectIndexed('PRIMARY', 20)
  })
})
