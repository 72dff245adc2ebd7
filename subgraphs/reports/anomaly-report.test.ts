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

it('is none of a stranger’s business', async () => {
  const { spaceId } = await reports.createSpace()
  const { data, errors } = await reports.run(asUser(newId()), REPORT, { spaceId, ...berlin })
  expect({ data, errors }).toEqual({ data: null, errors: ['NOT_FOUND There is no such space.'] })
})
