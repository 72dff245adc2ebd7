import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { line, process } from '../../schema/mysql/device-tables.ts'
import { ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asUser, openReportsFixture, type ReportsFixture } from './reports-fixture.ts'

const COUNTS = `query ($entities: [_Any!]!, $from: DateTime!, $to: DateTime!) {
  _entities(representations: $entities) {
    ... on Device { id anomalyCount(from: $from, to: $to) }
    ... on Line { id anomalyCount(from: $from, to: $to) }
    ... on Process { id anomalyCount(from: $from, to: $to) }
  }
}`
const RANGE = { from: '2026-03-05T00:00:00Z', to: '2026-03-07T00:00:00Z' }
const FIRST = Date.parse('2026-03-01T00:00:00Z') / ROLLUP_BUCKET_MS

let database: TestDatabase
let reports: ReportsFixture
let space: Awaited<ReturnType<ReportsFixture['createSpace']>>
const lineIds = Array.from({ length: 20 }, newId)
const processIds = Array.from({ length: 20 }, newId)

beforeAll(async () => {
  database = await openTestDatabase()
  reports = openReportsFixture(database)
  space = await reports.createSpace({ deviceCount: 100 })
  const { spaceId } = space
  const named = (id: string) => ({ id, spaceId, name: 'place', position: 0 })
  await reports.others.db.insert(line).values(lineIds.map(named))
  await reports.others.db.insert(process).values(processIds.map(named))
  // Ten days, of device, line and process number n one more each hour than of n - 1.
  const hours = Array.from({ length: 10 * 24 }, (_, hour) => FIRST + hour * 4)
  const rowsOf = (ids: readonly string[], row: (hour: number, id: string, n: number) => unknown[]) =>
    hours.flatMap(hour => ids.map((id, n) => row(hour, id, n)))
  await reports.insert(
    'anomaly_rollup_device',
    rowsOf(space.deviceIds, (hour, id, n) => [spaceId, hour, id, n, 0, 0, 0]),
  )
  await reports.insert(
    'anomaly_rollup_coarse',
    rowsOf(lineIds, (hour, id, n) => [spaceId, hour, id, processIds[n], 0, n, 0, 0]),
  )
  await reports.others.pool.query('ANALYZE TABLE anomaly_rollup_device, anomaly_rollup_coarse')
})
afterAll(async () => {
  await reports[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function ask(typeName: string, ids: readonly string[], viewer = space.member) {
  const entities = ids.map(id => ({ __typename: typeName, id }))
  const { data, errors } = await reports.run(viewer, COUNTS, { entities, ...RANGE })
  return { counts: data._entities.map((one: { anomalyCount: number | null }) => one.anomalyCount), errors }
}

it.each([
  ['Device', () => space.deviceIds, 'anomaly_rollup_device'],
  ['Line', () => lineIds, 'anomaly_rollup_coarse'],
  ['Process', () => processIds, 'anomaly_rollup_coarse'],
])('of a page of a %s is one statement, whatever the page’s size', async (typeName, idsOf, table) => {
  const ids = idsOf()
  await ask(typeName, ids)
  for (const count of [1, ids.length]) {
    database.statements.length = 0
    const { counts, errors } = await ask(typeName, ids.slice(0, count))
    expect(errors).toEqual([])
    expect(counts).toEqual(ids.slice(0, count).map((_, n) => n * 48))
    expect(database.statements).toHaveLength(1)
    const [plans] = await reports.others.pool.query<RowDataPacket[]>(
      `EXPLAIN ${database.statements[0]?.replace(/.*? FOR \*\//s, '')}`,
    )
    expect(plans).toMatchObject([{ table, type: 'range' }])
  }
})

it('is 0 without any, and of one range for each that is asked for', async () => {
  const quiet = await reports.createSpace({ deviceCount: 1 })
  expect(await ask('Device', quiet.deviceIds, quiet.member)).toEqual({ counts: [0], errors: [] })
  database.statements.length = 0
  const source = `query ($device: _Any!) { _entities(representations: [$device]) { ... on Device {
    day: anomalyCount(from: "2026-03-05T00:00:00Z", to: "2026-03-06T00:00:00Z")
    quarter: anomalyCount(from: "2026-03-05T00:00:01Z", to: "2026-03-05T00:00:02Z")
  } } }`
  const device = { __typename: 'Device', id: space.deviceIds[7] }
  const { data } = await reports.run(space.member, source, { device })
  expect(data._entities).toEqual([{ day: 7 * 24, quarter: 7 }])
  expect(database.statements).toHaveLength(2)
})

it('is told to nobody else, with one answer for what is not there and what is not theirs', async () => {
  const other = await reports.createSpace({ deviceCount: 1 })
  const ids = [...space.deviceIds.slice(1, 2), ...other.deviceIds, newId(), 'x']
  const { counts, errors } = await ask('Device', ids)
  expect(counts).toEqual([48, null, null, null])
  expect(errors).toEqual(Array.from({ length: 3 }, () => 'NOT_FOUND There is no such device.'))
  expect((await ask('Line', lineIds.slice(1, 2), asUser(newId()))).errors).toEqual([
    'NOT_FOUND There is no such line.',
  ])
  expect((await ask('Process', [newId()])).errors).toEqual(['NOT_FOUND There is no such process.'])
})

it('is of a year at most', async () => {
  const entities = [{ __typename: 'Device', id: space.deviceIds[0] }]
  const { errors } = await reports.run(space.member, COUNTS, {
    entities,
    ...RANGE,
    to: '2027-03-08T00:00:00Z',
  })
  expect(errors).toEqual(['BAD_USER_INPUT to is at most 366 days after from.'])
})
