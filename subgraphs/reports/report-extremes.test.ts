import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_PLACE, ROLLUP_BUCKET_MS } from '../../schema/mysql/ingest-tables.ts'
import { openMysql } from '../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId } from '../shared/uuid-v7.ts'
import { countAnomalies } from './count-repository.ts'
import { openReportsFixture, type ReportsFixture } from './reports-fixture.ts'
import { sumRollup } from './rollup-repository.ts'

const ARGUMENTS = '$spaceId: ID!, $from: DateTime!, $to: DateTime!'
const RANGE = 'spaceId: $spaceId, from: $from, to: $to'
const BUCKETS = 'interval: $interval, timezone: $timezone, groupBy: $groupBy'
const REPORTS = {
  anomalyReport: `query (${ARGUMENTS}, $interval: ReportInterval!, $timezone: String, $groupBy: [AnomalyReportGroup!]) {
    report: anomalyReport(${RANGE}, ${BUCKETS}) { from to total rows { bucketStart total } } }`,
  logReport: `query (${ARGUMENTS}, $interval: ReportInterval!, $timezone: String, $groupBy: [LogReportGroup!]) {
    report: logReport(${RANGE}, ${BUCKETS}) { from to total rows { bucketStart total } } }`,
  availabilityReport: `query (${ARGUMENTS}, $timezone: String) {
    report: availabilityReport(${RANGE}, timezone: $timezone, groupBy: [LINE, PROCESS, DEVICE]) { from to rows { outages } } }`,
  responseReport: `query (${ARGUMENTS}) {
    report: responseReport(${RANGE}, groupBy: [LINE, PROCESS, DEVICE, TYPE, SEVERITY]) { from to rows { raised } } }`,
}
/** What a client may send again, so no year of five digits. */
const DATE_TIME = /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g
const ANY_MOMENT = /"[-+]?\d+-\d\d-\d\dT[\d:.]+Z"/g

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

describe.each(Object.entries(REPORTS))('%s', (_, query) => {
  it.each([
    ['0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z'],
    ['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999-14:00'],
    ['1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'],
    ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59.999-23:59'],
    ['2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-03-01T00:00:00+09:00', '2026-02-28T15:00:00Z'],
  ])('refuses a range from %s to %s', async (from, to) => {
    const { spaceId, member } = await reports.createSpace()
    for (const interval of ['HOUR', 'DAY', 'WEEK', 'MONTH']) {
      const { errors } = await reports.run(member, query, { spaceId, from, to, interval })
      expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT (from|to) is /)])
    }
  })

  it.each([
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.001Z'],
    ['9998-12-31T23:59:59.999Z', '9999-01-01T00:00:00Z'],
    ['2026-03-29T00:59:59.999Z', '2026-03-29T01:00:00.001Z'],
  ])('answers moments that one may ask with again, from %s to %s', async (from, to) => {
    const { spaceId, member } = await reports.createSpace({ deviceCount: 1 })
    for (const timezone of ['Asia/Kathmandu', 'Pacific/Kiritimati', 'America/St_Johns', 'Africa/Monrovia'])
      for (const interval of ['HOUR', 'DAY', 'WEEK', 'MONTH']) {
        const { data, errors } = await reports.run(member, query, { spaceId, from, to, interval, timezone })
        expect(errors).toEqual([])
        const text = JSON.stringify(data)
        expect(text.match(DATE_TIME)).toEqual(text.match(ANY_MOMENT))
      }
  })
})

describe('zones of reports', () => {
  it.each([
    ...[
      'Etc/GMT+12',
      'GMT',
      'EST',
      '+05:45',
      'Nope/Nope',
      'Factory',
      '',
      ' UTC',
      'UTC\u0000',
      'Asia/Seoul\n',
    ],
    ...["UTC' OR 1", '../../etc/localtime', 'A'.repeat(100_000), `A${'/A'.repeat(50_000)}`],
  ])('are not %o', async timezone => {
    const { spaceId, member } = await reports.createSpace()
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', interval: 'DAY' }
    const { errors } = await reports.run(member, REPORTS.anomalyReport, { spaceId, ...range, timezone })
    expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT timezone is no time zone/)])
  })

  it('have days of their own where clocks are a quarter off, or leave a day out', async () => {
    const { spaceId, member } = await reports.createSpace()
    const startsOf = async (timezone: string, from: string, to: string) => {
      const { data } = await reports.run(member, REPORTS.logReport, {
        ...{ spaceId, from, to, timezone },
        interval: 'DAY',
      })
      return data.report.rows.map(({ bucketStart }: { bucketStart: string }) => bucketStart.slice(0, 16))
    }
    expect(await startsOf('Asia/Kathmandu', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z')).toEqual([
      ...['2026-02-28T18:15', '2026-03-01T18:15', '2026-03-02T18:15'],
    ])
    // The islands went over the date line: no 30th of December.
    expect(await startsOf('Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z')).toEqual([
      ...['2011-12-29T10:00', '2011-12-30T10:00'],
    ])
  })
})

describe('reports by all groups', () => {
  it('are refused for their rows, however often a group is named, at the longest range by hours', async () => {
    const { spaceId, deviceIds, member } = await reports.createSpace({ deviceCount: 20 })
    const first = Date.parse('2026-03-01T00:00:00Z') / ROLLUP_BUCKET_MS
    const places = [NO_PLACE, newId(), newId()]
    await reports.insert(
      'anomaly_rollup_fine',
      Array.from({ length: 31 * 24 }, (_, hour) => hour).flatMap(hour =>
        deviceIds.map((id, i) => [
          ...[spaceId, first + hour * 4 + (hour % 4), id, `T${hour % 7}`],
          ...[places[i % 3], places[hour % 3], 1, 1, 1, 1],
        ]),
      ),
    )
    const all = ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY']
    const groupBy = Array.from({ length: 5_000 }, (_, i) => all[i % 5])
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' }
    const ask = { spaceId, ...range, interval: 'HOUR' }
    const { errors } = await reports.run(member, REPORTS.anomalyReport, { ...ask, groupBy })
    expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT The report has more than 10000 rows/)])
    const fewer = { ...ask, interval: 'DAY', groupBy: ['TYPE', 'TYPE'] }
    const whole = await reports.run(member, REPORTS.anomalyReport, fewer)
    expect(whole.data.report.total).toBe(31 * 24 * 20 * 4)
  })
})

describe('a statement about counts', () => {
  it('is broken off by the server, with what to do about it', async () => {
    await using other = openMysql({ url: database.url, poolSize: 1 })
    await other.pool.query('LOCK TABLES anomaly_rollup_coarse WRITE')
    const range = { fromQuarter: 0, toQuarter: 4 }
    const query = { table: 'anomaly_rollup_coarse', keys: [], sums: [['info']], starts: [0] } as const
    await expect(
      sumRollup(database.db, { ...query, spaceId: newId(), range, limit: 1, maxSeconds: 1 }),
    ).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Finding these takes more than 1 s: take less time between from and to, or fewer groups.',
    })
    await other.pool.query('UNLOCK TABLES')
  })

  it('has a deadline before that of the gateway', async () => {
    database.statements.length = 0
    const { spaceId, member } = await reports.createSpace()
    const range = { fromQuarter: 0, toQuarter: 4 }
    await countAnomalies(database.db, 'device', { ids: [newId()], spaceIds: [spaceId], range })
    const asked = {
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
      interval: 'DAY',
      timezone: 'UTC',
    }
    for (const query of [REPORTS.anomalyReport, REPORTS.logReport])
      expect((await reports.run(member, query, { spaceId, ...asked })).errors).toEqual([])
    const ofCounts = database.statements.filter(sql => sql.includes('_rollup_'))
    expect(ofCounts).toHaveLength(3)
    for (const sql of ofCounts) expect(sql.trim()).toMatch(/^\/\*M! SET STATEMENT max_statement_time=12 FOR/)
  })
})
