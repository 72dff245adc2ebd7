import type { PoolConnection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import type { AnomalyKey, AnomalyOrder } from './anomaly-branch.ts'
import { countAnomalies, findLastAnomalies, listAnomalies } from './anomaly-repository.ts'
import { type AnomalyFilterInput, readAnomalySelection } from './anomaly-selection.ts'
import { countComments, listComments } from './comment-repository.ts'
import { countOpenOfDevices, countOpenOfPlaces } from './open-anomaly-repository.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const ROWS = 12_000
const LIMIT = 21

const spaceId = newId()
const deviceIds = Array.from({ length: 12 }, newId)
const lineIds = [newId(), newId()]
const processIds = [newId(), newId(), newId()]
const ids = Array.from({ length: ROWS }, (_, i) => newIdAt(START + i * MINUTE_MS))
/** The last 36 are not resolved: 3 of each device. */
const statusOf = (i: number) => (i < ROWS - 36 ? 'RESOLVED' : i % 2 === 0 ? 'OPEN' : 'ACKNOWLEDGED')
/** The only CRITICAL one is the oldest. */
const severityOf = (i: number) => (i === 0 ? 'CRITICAL' : (['INFO', 'MINOR', 'MAJOR'] as const)[i % 3])

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  const rows = ids.map((id, i) => [
    ...[id, spaceId, deviceIds[i % 12], lineIds[i % 2], processIds[i % 3]],
    ...[i < ROWS - 36 ? `T${i % 40}` : `OPEN-${i}`, severityOf(i), 'hot', false, new Date(START)],
    ...[id, id, 1, statusOf(i), 1],
  ])
  for (let i = 0; i < rows.length; i += 2_000)
    await database.pool.query(
      `INSERT INTO anomaly (id, space_id, device_id, line_id, process_id, type, severity, message, clock_replaced,
       received_at, first_occurrence_id, last_occurrence_id, occurrences, status, version) VALUES ?`,
      [rows.slice(i, i + 2_000)],
    )
  const comments = ids
    .slice(0, 2_000)
    .map((id, i) => [newId(), ids[i % 100], spaceId, 'USER', `said of ${id}`, new Date(START)])
  await database.pool.query(
    'INSERT INTO anomaly_comment (id, anomaly_id, space_id, kind, body, created_at) VALUES ?',
    [comments],
  )
  await database.pool.query('ANALYZE TABLE anomaly, anomaly_comment')
}, 60_000)
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  database.statements.length = 0
})

interface Plan extends RowDataPacket {
  table: string | null
  type: string | null
  key: string | null
  Extra: string | null
}

/** Plans of the tables that the one statement sent so far reads, and the rows that running it reads. */
async function inspect() {
  expect(database.statements).toHaveLength(1)
  // What sets its deadline cannot be explained.
  const statement = (database.statements[0] ?? '').replace(/^\/\*M! SET STATEMENT .*? \*\/ /, '')
  const connection = await database.pool.getConnection()
  try {
    const [plans] = await connection.query<Plan[]>(`EXPLAIN ${statement}`)
    await connection.query('FLUSH STATUS')
    await connection.query(statement)
    const isTable = ({ table }: Plan) => table === 'anomaly' || table === 'anomaly_comment'
    return { plans: plans.filter(isTable), rowsRead: await countRowsRead(connection) }
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

const MIDDLE: AnomalyKey = { id: ids[ROWS / 2] ?? '' }
const KEYS: Record<AnomalyOrder, AnomalyKey> = {
  NEWEST: MIDDLE,
  LAST_OCCURRED: { ...MIDDLE, lastOccurrenceId: MIDDLE.id },
  SEVERITY: { ...MIDDLE, rank: 2 },
}

const OPEN = { statuses: ['OPEN', 'ACKNOWLEDGED'] } as const
const RESOLVED = { statuses: ['RESOLVED'] } as const
const CRITICAL = { severities: ['CRITICAL'] } as const
const [line, process] = [{ lineId: lineIds[0] }, { processId: processIds[0] }] as const
const types = { types: ['T1', 'T2'] }
const time = { from: new Date(START + 100 * MINUTE_MS), to: new Date(START + 9_000 * MINUTE_MS) }

/** What a list asks for, the index that it is read by, and of how many branches. */
const HOT: readonly [string, AnomalyOrder, AnomalyFilterInput, string, number][] = [
  ['all', 'NEWEST', {}, 'anomaly_space', 1],
  ['all of a time', 'NEWEST', time, 'anomaly_space', 1],
  ['what is not resolved', 'NEWEST', OPEN, 'anomaly_status', 2],
  ['what is resolved', 'NEWEST', RESOLVED, 'anomaly_status', 1],
  ['a severity', 'NEWEST', CRITICAL, 'anomaly_severity', 3],
  ['a severity of what is not resolved', 'NEWEST', { ...OPEN, ...CRITICAL }, 'anomaly_severity', 2],
  ['a severity of a time', 'NEWEST', { ...CRITICAL, ...time }, 'anomaly_severity', 3],
  ['types', 'NEWEST', types, 'anomaly_type', 2],
  ['types of a time', 'NEWEST', { ...types, ...time }, 'anomaly_type', 2],
  ['some devices', 'NEWEST', { deviceIds }, 'anomaly_device', 12],
  ['a line', 'NEWEST', line, 'anomaly_line', 3],
  ['what is not resolved on a line', 'NEWEST', { ...line, ...OPEN }, 'anomaly_line', 2],
  ['a process', 'NEWEST', process, 'anomaly_process', 3],
  ['all', 'LAST_OCCURRED', {}, 'anomaly_last', 3],
  ['what is not resolved', 'LAST_OCCURRED', OPEN, 'anomaly_last', 2],
  ['what is resolved', 'LAST_OCCURRED', RESOLVED, 'anomaly_last', 1],
  ['all', 'SEVERITY', {}, 'anomaly_severity', 12],
  ['what is not resolved', 'SEVERITY', OPEN, 'anomaly_severity', 8],
  ['a severity', 'SEVERITY', CRITICAL, 'anomaly_severity', 3],
  ['all of a time', 'SEVERITY', time, 'anomaly_severity', 12],
]

/** What leaves out rows on the way, or sorts those of one place: the deadline is for these. */
const COLD: readonly [string, AnomalyOrder, AnomalyFilterInput, string][] = [
  ['a type of what is not resolved', 'NEWEST', { ...OPEN, ...types }, 'anomaly_status'],
  ['a severity and types', 'NEWEST', { ...CRITICAL, ...types }, 'anomaly_type'],
  ['a severity of a line', 'NEWEST', { ...line, ...CRITICAL }, 'anomaly_line'],
  ['types of a process', 'NEWEST', { ...process, ...types }, 'anomaly_process'],
  ['a line and a process', 'NEWEST', { ...line, ...process }, 'anomaly_process'],
  ['a severity of devices', 'NEWEST', { deviceIds, ...CRITICAL }, 'anomaly_device'],
  ['what is not resolved of devices', 'NEWEST', { deviceIds, ...OPEN }, 'anomaly_open'],
  [
    'a text',
    'NEWEST',
    { text: 'x', from: time.from, to: new Date(START + 5_000 * MINUTE_MS) },
    'anomaly_space',
  ],
  ['types', 'LAST_OCCURRED', types, 'anomaly_last'],
  ['a severity', 'LAST_OCCURRED', CRITICAL, 'anomaly_last'],
  ['devices', 'LAST_OCCURRED', { deviceIds }, 'anomaly_device'],
  ['a line', 'LAST_OCCURRED', line, 'anomaly_line'],
  ['a process', 'LAST_OCCURRED', process, 'anomaly_process'],
  ['types', 'SEVERITY', types, 'anomaly_severity'],
  ['devices', 'SEVERITY', { deviceIds }, 'anomaly_device'],
  ['a line', 'SEVERITY', line, 'anomaly_line'],
  ['a process', 'SEVERITY', process, 'anomaly_process'],
]

const list = (order: AnomalyOrder, filter: AnomalyFilterInput, after: AnomalyKey | null) =>
  listAnomalies(database.db, {
    spaceId,
    selection: readAnomalySelection(filter),
    order,
    after,
    limit: LIMIT,
  })

describe('a page that is asked for often', () => {
  it.each(HOT)(
    'of %s, %s, reads its rows in the order of an index',
    async (_, order, filter, key, branches) => {
      for (const after of [null, KEYS[order]]) {
        database.statements.length = 0
        await list(order, filter, after)
        if (database.statements.length === 0) continue
        const { plans, rowsRead } = await inspect()
        expect(plans.length).toBeGreaterThan(0)
        for (const { type, Extra, key: used } of plans) {
          expect(['ref', 'range', 'eq_ref', 'const']).toContain(type)
          expect(Extra ?? '').not.toMatch(/filesort|temporary/)
          expect([key, 'PRIMARY']).toContain(used)
        }
        // Each branch reads a page and the row behind it; what is merged is sorted and then read by its ids.
        expect(rowsRead).toBeLessThanOrEqual(branches * (LIMIT + 2) + 3 * LIMIT)
      }
    },
  )
})

describe('a page that is asked for seldom', () => {
  it.each(COLD)('of %s, %s, reads an index of the place', async (_, order, filter, key) => {
    for (const after of [null, KEYS[order]]) {
      database.statements.length = 0
      await list(order, filter, after)
      const { plans } = await inspect()
      expect(plans.length).toBeGreaterThan(0)
      for (const { type, key: used } of plans) {
        expect(['ref', 'range', 'eq_ref', 'const']).toContain(type)
        expect([key, 'PRIMARY']).toContain(used)
      }
    }
  })
})

describe('what is read of many at once', () => {
  it('is counted by the index of the list', async () => {
    const filters = [...HOT, ...COLD].map(([, , filter]) => readAnomalySelection(filter))
    const totals = await countAnomalies(
      database.db,
      filters.map(selection => ({ spaceId, selection })),
    )
    expect(totals.slice(0, 4)).toEqual([10_001, 8_900, 36, 10_001])
    const { plans } = await inspect()
    for (const { type } of plans) expect(['ref', 'range']).toContain(type)
  })

  it('counts what is not resolved without reading what is', async () => {
    expect(await countOpenOfDevices(database.db, deviceIds)).toEqual(new Map(deviceIds.map(id => [id, 3])))
    const { plans, rowsRead } = await inspect()
    for (const plan of plans) {
      expect(plan.type).toBe('range')
      expect(plan.Extra).toMatch(/Using index/)
      expect(plan.Extra).not.toMatch(/filesort|temporary/)
    }
    expect(rowsRead).toBeLessThanOrEqual(36 + 2 * 12)
  })

  it('counts those of lines by their index', async () => {
    await database.pool.query('INSERT INTO line (id, space_id, name, position) VALUES ?', [
      lineIds.map((id, i) => [id, spaceId, `Line ${i}`, i]),
    ])
    database.statements.length = 0
    const counts = await countOpenOfPlaces(database.db, 'line', [...lineIds, newId()])
    expect(counts.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      lineIds.toSorted().map(id => ({ id, spaceId, total: 18 })),
    )
    const { plans, rowsRead } = await inspect()
    for (const plan of plans) expect(plan).toMatchObject({ key: 'anomaly_line' })
    expect(rowsRead).toBeLessThanOrEqual(36 + 20)
  })

  it('finds the last of each device by one look at its index', async () => {
    const last = await findLastAnomalies(database.db, deviceIds)
    expect(last.map(({ id }) => id).toSorted()).toEqual(ids.slice(-12).toSorted())
    const { plans, rowsRead } = await inspect()
    expect(plans.map(({ Extra }) => Extra).join()).toMatch(/Using index for group-by/)
    expect(rowsRead).toBeLessThanOrEqual(4 * 12 + 4)
  })

  it('reads the first comments of 100 anomalies in their order', async () => {
    const requests = ids
      .slice(0, 100)
      .map(anomalyId => ({ anomalyId, direction: 'backward' as const, afterId: null, limit: 4 }))
    const lists = await listComments(database.db, requests)
    expect(lists.map(({ length }) => length)).toEqual(Array.from({ length: 100 }, () => 4))
    const { plans, rowsRead } = await inspect()
    for (const plan of plans) {
      expect(plan).toMatchObject({ type: 'ref', key: 'anomaly_comment_anomaly' })
      expect(plan.Extra ?? '').not.toMatch(/filesort|temporary/)
    }
    expect(rowsRead).toBeLessThanOrEqual(100 * 5)
    database.statements.length = 0
    expect(await countComments(database.db, ids.slice(0, 100))).toEqual(Array.from({ length: 100 }, () => 20))
    for (const plan of (await inspect()).plans) expect(plan.type).toBe('ref')
  })
})
