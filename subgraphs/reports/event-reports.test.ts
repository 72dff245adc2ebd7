import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_PLACE } from '../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { createRandom } from '../shared/testkit/random.ts'
import { type ModelEvent, reckonReport } from '../shared/testkit/report-model.ts'
import { newId } from '../shared/uuid-v7.ts'
import { openReportsFixture, type ReportsFixture } from './reports-fixture.ts'

const QUARTER_MS = 900_000
const DAY_MS = 24 * 60 * 60_000
const ZONES = [
  'Asia/Seoul',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'UTC',
]
/** Clocks change in one of the zones near each. */
const MOMENTS = ['2026-03-08', '2026-03-29', '2026-04-04', '2026-04-24', '2026-10-25', '2026-11-01'].map(
  Date.parse,
)
const INTERVALS = ['HOUR', 'DAY', 'WEEK', 'MONTH'] as const
const GROUPS = ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY'] as const
const seed = Math.floor(Math.random() * 2 ** 31)

const random = createRandom(seed)
const below = (count: number) => Math.floor(random() * count)
const oneOf = <T>(values: readonly T[]) => values[below(values.length)] as T

const places = [null, newId(), newId(), newId()]
let database: TestDatabase
let reports: ReportsFixture
let space: Awaited<ReturnType<ReportsFixture['createSpace']>>
let events: ModelEvent[]

beforeAll(async () => {
  database = await openTestDatabase()
  reports = openReportsFixture(database)
  space = await reports.createSpace({ timezone: 'Asia/Seoul', deviceCount: 4 })
  const other = await reports.createSpace({ deviceCount: 2 })
  const make = (deviceIds: readonly string[]): ModelEvent => ({
    at: oneOf(MOMENTS) + below(5 * DAY_MS) - 2 * DAY_MS,
    device: oneOf(deviceIds),
    line: oneOf(places),
    process: oneOf(places),
    type: oneOf(['heat', 'Heat', '과열', 'ä "1"']),
    severity: below(4),
  })
  events = Array.from({ length: 3_000 }, () => make(space.deviceIds))
  await write(space.spaceId, events)
  await write(
    other.spaceId,
    Array.from({ length: 200 }, () => make(other.deviceIds)),
  )
})
afterAll(async () => {
  await reports[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Fills the rollups, as ingest does, of anomalies and of logs alike. */
async function write(spaceId: string, of: readonly ModelEvent[]): Promise<void> {
  const tables = {
    anomaly_rollup_fine: (e: ModelEvent) => [e.device, e.type, e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    log_rollup_fine: (e: ModelEvent) => [e.device, e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    anomaly_rollup_coarse: (e: ModelEvent) => [e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    log_rollup_coarse: (e: ModelEvent) => [e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    anomaly_rollup_device: (e: ModelEvent) => [e.device],
  }
  for (const [table, keyOf] of Object.entries(tables)) {
    const rows = Map.groupBy(of, e => JSON.stringify([Math.floor(e.at / QUARTER_MS), ...keyOf(e)]))
    await reports.insert(
      table,
      [...rows].map(([key, events]) => [
        spaceId,
        ...JSON.parse(key),
        ...[0, 1, 2, 3].map(severity => events.filter(e => e.severity === severity).length),
      ]),
    )
  }
}

it(`are what a plain reckoning of the events says (seed ${seed})`, async () => {
  const days = { HOUR: 4, DAY: 25, WEEK: 70, MONTH: 270 }
  let rowCount = 0
  for (let round = 0; round < 160; round++) {
    const interval = oneOf(INTERVALS)
    const kind = oneOf(['anomaly', 'log'] as const)
    const zone = oneOf(ZONES)
    const from = oneOf(MOMENTS) - 3 * DAY_MS + below(3 * DAY_MS)
    const to = from + 1 + below(oneOf([QUARTER_MS, days[interval] * DAY_MS]))
    const groups = kind === 'anomaly' ? GROUPS : (['LINE', 'PROCESS', 'DEVICE', 'LEVEL'] as const)
    const share = interval === 'HOUR' ? 0.2 : 0.4
    const groupBy: string[] = groups.filter(() => random() < share)
    const asked = { from, to, interval, zone, groupBy }
    const expected = reckonReport(events, kind, asked)
    if (expected.rows.length > 10_000) continue
    const fields = kind === 'anomaly' ? 'type severity' : 'level'
    const { data, errors } = await reports.run(
      space.member,
      `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!, $timezone: String) {
        report: ${kind}Report(spaceId: $spaceId, from: $from, to: $to, interval: ${interval}, timezone: $timezone,
          groupBy: [${groupBy}]) {
          total rows { bucketStart line { id } process { id } device { id } ${fields} total }
        }
      }`,
      {
        spaceId: space.spaceId,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        timezone: zone,
      },
    )
    expect(errors, JSON.stringify(asked)).toEqual([])
    expect(data.report, JSON.stringify(asked)).toEqual(expected)
    rowCount += expected.rows.filter(row => row.total > 0).length
  }
  // Else there was nothing to get wrong.
  expect(rowCount).toBeGreaterThan(2_000)
})
