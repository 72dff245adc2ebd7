import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asUser, openReportsFixture, type ReportsFixture } from './reports-fixture.ts'

const REPORT = `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!, $interval: ReportInterval!,
  $timezone: String, $groupBy: [AnomalyReportGroup!]) {
  anomalyReport(spaceId: $spaceId, from: $from, to: $to, interval: $interval, timezone: $timezone, groupBy: $groupBy) {
    from to timezone total
    rows { bucketStart line { id } process { id } device { id } type severity total }
  }
}`

let database: TestDatabase
let reports: ReportsFixture

beforeAll(async () => {
  database = await openTestDatabase()
  reports = openReportsFixture(database)
})
afterAll(async () => {
  await reports[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const quarterOf = (moment: string) => Date.parse(moment) / ROLLUP_BUCKET_MS
const berlin = { from: '2026-03-28T00:00:00+01:00', to: '2026-03-31T00:00:00+02:00', interval: 'DAY' }

it('counts days as they are long where clocks change, the empty ones too', async () => {
  const { spaceId, member } = await reports.createSpace({ timezone: 'Europe/Berlin' })
  const [lineId, processId] = [newId(), newId()]
  await reports.insert('anomaly_rollup_coarse', [
    [spaceId, quarterOf('2026-03-28T22:45:00Z'), lineId, processId, 1, 0, 0, 0],
    [spaceId, quarterOf('2026-03-28T23:00:00Z'), NO_PLACE, NO_PLACE, 0, 2, 0, 0],
    [spaceId, quarterOf('2026-03-29T21:45:00Z'), lineId, processId, 0, 0, 4, 0],
    [spaceId, quarterOf('2026-03-30T22:00:00Z'), lineId, processId, 0, 0, 0, 8],
  ])
  database.statements.length = 0
  const { data, errors } = await reports.run(member, REPORT, { spaceId, ...berlin })
  expect(errors).toEqual([])
  expect(data.anomalyReport).toMatchObject({ timezone: 'Europe/Berlin', total: 7 })
  expect(
    data.anomalyReport.rows.map((row: { bucketStart: string; total: number }) => [
      row.bucketStart,
      row.total,
    ]),
  ).toEqual([
    ['2026-03-27T23:00:00.000Z', 1],
    ['2026-03-28T23:00:00.000Z', 6],
    ['2026-03-29T22:00:00.000Z', 0],
  ])
  expect(database.statements).toHaveLength(2)
})

it('has an hour twice where clocks go back, and has it not where they go forward', async () => {
  const { spaceId, member } = await reports.createSpace({ timezone: 'America/New_York' })
  const hoursOf = async (from: string, to: string) => {
    const { data } = await reports.run(member, REPORT, { spaceId, from, to, interval: 'HOUR' })
    return data.anomalyReport.rows.map((row: { bucketStart: string }) => row.bucketStart.slice(11, 16))
  }
  expect(await hoursOf('2026-11-01T00:00:00-04:00', '2026-11-01T03:00:00-05:00')).toEqual([
    ...['04:00', '05:00', '06:00', '07:00'],
  ])
  expect(await hoursOf('2026-03-08T00:00:00-05:00', '2026-03-08T04:00:00-04:00')).toEqual([
    ...['05:00', '06:00', '07:00'],
  ])
})

it('counts whole quarters of an hour, that of the last moment too', async () => {
  const { spaceId, member } = await reports.createSpace()
  await reports.insert(
    'anomaly_rollup_coarse',
    ['10:00', '10:15', '10:30', '10:45'].map((time, i) => [
      ...[spaceId, quarterOf(`2026-03-01T${time}:00Z`), NO_PLACE, NO_PLACE, 10 ** i, 0, 0, 0],
    ]),
  )
  const totalOf = async (from: string, to: string) => {
    const range = { from: `2026-03-01T${from}Z`, to: `2026-03-01T${to}Z`, interval: 'HOUR' }
    const { data } = await reports.run(member, REPORT, { spaceId, ...range })
    const { rows, ...report } = data.anomalyReport
    expect(rows).toHaveLength(1)
    return [report.from.slice(11, 16), report.to.slice(11, 16), report.total]
  }
  expect(await totalOf('10:15:00', '10:30:00')).toEqual(['10:15', '10:30', 10])
  expect(await totalOf('10:29:59.999', '10:30:00.001')).toEqual(['10:15', '10:45', 110])
  expect(await totalOf('10:20:00', '10:20:00.001')).toEqual(['10:15', '10:30', 10])
})

it('rounds the offset of a zone that was no multiple of 15 minutes', async () => {
  const { spaceId, member } = await reports.createSpace({ timezone: 'Africa/Monrovia' })
  // UTC-0:44:30 until 1972.
  const range = { from: '1971-06-01T00:45:00Z', to: '1971-06-02T00:45:00Z', interval: 'DAY' }
  const { data } = await reports.run(member, REPORT, { spaceId, ...range })
  expect(data.anomalyReport.rows).toMatchObject([{ bucketStart: '1971-06-01T00:45:00.000Z', total: 0 }])
})

it('has no rows where nothing happened by groups', async () => {
  const { spaceId, member } = await reports.createSpace()
  const { data } = await reports.run(member, REPORT, { spaceId, ...berlin, groupBy: ['SEVERITY'] })
  expect(data.anomalyReport).toMatchObject({ total: 0, rows: [] })
})

it.each([
  ['31 days by hours', { interval: 'HOUR', to: '2026-04-01T00:00:00Z' }, { to: '2026-04-02T00:00:00Z' }],
  ['366 days by days', { interval: 'DAY', to: '2027-03-02T00:00:00Z' }, { to: '2027-03-04T00:00:00Z' }],
  ['3 years by weeks', { interval: 'WEEK', to: '2029-03-01T00:00:00Z' }, { to: '2029-03-03T00:00:00Z' }],
  ['10 years by months', { interval: 'MONTH', to: '2036-03-01T00:00:00Z' }, { to: '2036-03-05T00:00:00Z' }],
])('goes over %s, and no further', async (_, most, more) => {
  const { spaceId, member } = await reports.createSpace()
  const asked = { spaceId, from: '2026-03-01T00:00:00Z', ...most }
  expect((await reports.run(member, REPORT, asked)).errors).toEqual([])
  const { data, errors } = await reports.run(member, REPORT, { ...asked, ...more })
  expect(data).toBeNull()
  expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT With the interval .* to is at most/)])
})

it('refuses more than 10,000 rows', async () => {
  const { spaceId, member } = await reports.createSpace()
  const fill = (first: number, count: number) =>
    reports.insert(
      'anomaly_rollup_fine',
      Array.from({ length: count }, (_, i) => [
        ...[
          spaceId,
          quarterOf('2026-03-01T00:00:00Z'),
          newId(),
          `T${first + i}`,
          NO_PLACE,
          NO_PLACE,
          1,
          0,
          0,
          0,
        ],
      ]),
    )
  // 24 rows of each type.
  const asked = { spaceId, from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', interval: 'HOUR' }
  await fill(0, 416)
  const most = await reports.run(member, REPORT, { ...asked, groupBy: ['TYPE'] })
  expect(most.data.anomalyReport.rows).toHaveLength(9_984)
  await fill(416, 1)
  const { errors } = await reports.run(member, REPORT, { ...asked, groupBy: ['TYPE'] })
  expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT The report has more than 10000 rows/)])
})

it.each([
  ['a range that ends as it begins', { to: berlin.from }, /from is before to/],
  ['a zone that is none', { timezone: '+09:00' }, /timezone is no time zone/],
  ['an id that is none', { spaceId: "' OR 1" }, /spaceId is a UUIDv7/],
])('refuses %s', async (_, wrong, message) => {
  const { spaceId, member } = await reports.createSpace()
  const { errors } = await reports.run(member, REPORT, { spaceId, ...berlin, ...wrong })
  expect(errors).toEqual([expect.stringMatching(message)])
  expect(errors[0]).toMatch(/^BAD_USER_INPUT /)
})

it('reads the smallest rollup that tells the groups apart, and of it the range', async () => {
  const space = await reports.createSpace({ deviceCount: 3 })
  const { spaceId, member } = space
  const [lineId, processId] = [newId(), newId()]
  const first = quarterOf('2026-03-01T00:00:00Z')
  const quarters = Array.from({ length: 20 * 96 }, (_, i) => first + i)
  await reports.insert(
    'anomaly_rollup_coarse',
    quarters.map(quarter => [spaceId, quarter, lineId, processId, 0, 0, 3, 0]),
  )
  await reports.insert(
    'anomaly_rollup_fine',
    quarters.flatMap(quarter =>
      space.deviceIds.map(id => [spaceId, quarter, id, 'heat', lineId, processId, 0, 0, 1, 0]),
    ),
  )
  await reports.others.pool.query('ANALYZE TABLE anomaly_rollup_coarse, anomaly_rollup_fine')
  const range = { from: '2026-03-05T00:00:00Z', to: '2026-03-07T00:00:00Z', interval: 'DAY', timezone: 'UTC' }
  for (const [groupBy, table] of [
    [[], 'anomaly_rollup_coarse'],
    [['LINE', 'PROCESS', 'SEVERITY'], 'anomaly_rollup_coarse'],
    [['TYPE', 'LINE'], 'anomaly_rollup_fine'],
    [['DEVICE'], 'anomaly_rollup_fine'],
  ] as const) {
    database.statements.length = 0
    const { data } = await reports.run(member, REPORT, { spaceId, ...range, groupBy })
    expect(data.anomalyReport.total).toBe(2 * 96 * 3)
    expect(database.statements).toHaveLength(1)
    const [plans] = await reports.others.pool.query<RowDataPacket[]>(
      `EXPLAIN ${database.statements[0]?.replace(/.*? FOR \*\//s, '')}`,
    )
    expect(plans).toMatchObject([{ table, type: 'range', key: 'PRIMARY' }])
    expect(Number(plans[0]?.rows)).toBeLessThan(3 * 96 * 3 * 2)
  }
})

it('is none of a stranger’s business', async () => {
  const { spaceId } = await reports.createSpace()
  const { data, errors } = await reports.run(asUser(newId()), REPORT, { spaceId, ...berlin })
  expect({ data, errors }).toEqual({ data: null, errors: ['NOT_FOUND There is no such space.'] })
  expect((await reports.run(null, REPORT, { spaceId, ...berlin })).errors).toEqual([
    expect.stringMatching(/^UNAUTHENTICATED /),
  ])
})
