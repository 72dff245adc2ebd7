import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_PLACE } from '../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { createRandom } from '../shared/testkit/random.ts'
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
const SEVERITIES = ['INFO', 'MINOR', 'MAJOR', 'CRITICAL'] as const
const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
const GROUPS = ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY'] as const
const seed = Math.floor(Math.random() * 2 ** 31)

type Interval = (typeof INTERVALS)[number]

interface Event {
  at: number
  device: string
  line: string | null
  process: string | null
  type: string
  /** 0 to 3. */
  severity: number
}

interface Row {
  bucketStart: string
  line: { id: string } | null
  process: { id: string } | null
  device: { id: string } | null
  type?: string | null
  severity?: string | null
  level?: string | null
  total: number
}

const random = createRandom(seed)
const below = (count: number) => Math.floor(random() * count)
const oneOf = <T>(values: readonly T[]) => values[below(values.length)] as T

const places = [null, newId(), newId(), newId()]
let database: TestDatabase
let reports: ReportsFixture
let space: Awaited<ReturnType<ReportsFixture['createSpace']>>
let events: Event[]

beforeAll(async () => {
  database = await openTestDatabase()
  reports = openReportsFixture(database)
  space = await reports.createSpace({ timezone: 'Asia/Seoul', deviceCount: 4 })
  const other = await reports.createSpace({ deviceCount: 2 })
  const make = (deviceIds: readonly string[]): Event => ({
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
async function write(spaceId: string, of: readonly Event[]): Promise<void> {
  const tables = {
    anomaly_rollup_fine: (e: Event) => [e.device, e.type, e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    log_rollup_fine: (e: Event) => [e.device, e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    anomaly_rollup_coarse: (e: Event) => [e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    log_rollup_coarse: (e: Event) => [e.line ?? NO_PLACE, e.process ?? NO_PLACE],
    anomaly_rollup_device: (e: Event) => [e.device],
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

const clocks = new Map<string, Intl.DateTimeFormat>()
const readings = new Map<string, string>()

/** What the clock on the wall shows: `2026-10-25 02 +02:00`. */
function readClock(zone: string, at: number): string {
  const name = `${zone} ${at}`
  const known = readings.get(name)
  if (known !== undefined) return known
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
      timeZoneName: 'longOffset',
    })
  clocks.set(zone, clock)
  const reading = clock.format(at).replace('kl. ', '')
  readings.set(name, reading)
  return reading
}

/** The model: which piece of the calendar a quarter of an hour is in. */
function pieceOf(interval: Interval, zone: string, at: number): string {
  const reading = readClock(zone, at)
  const date = reading.slice(0, 10)
  if (interval === 'HOUR') return reading
  if (interval === 'DAY') return date
  if (interval === 'MONTH') return date.slice(0, 7)
  const day = Date.parse(date)
  return new Date(day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS).toISOString()
}

/** The model: a report, reckoned from the events. */
function reckon(
  kind: 'anomaly' | 'log',
  {
    from,
    to,
    interval,
    zone,
    groupBy,
  }: { from: number; to: number; interval: Interval; zone: string; groupBy: string[] },
): { total: number; rows: Row[] } {
  const first = Math.floor(from / QUARTER_MS) * QUARTER_MS
  const end = Math.ceil(to / QUARTER_MS) * QUARTER_MS
  const starts = new Map<string, number>()
  const inRange = new Set<string>()
  for (let at = first - 32 * DAY_MS; at < end; at += QUARTER_MS) {
    const piece = pieceOf(interval, zone, at)
    if (!starts.has(piece)) starts.set(piece, at)
    if (at >= first) inRange.add(piece)
  }
  const told = (group: string, value: string | null) => (groupBy.includes(group) ? value : null)
  const names = kind === 'anomaly' ? SEVERITIES : LEVELS
  const severityGroup = kind === 'anomaly' ? 'SEVERITY' : 'LEVEL'
  const counted = events.filter(e => e.at >= first && e.at < end)
  const groups = new Map<string, Event[]>(
    groupBy.length === 0 ? [[JSON.stringify([null, null, null, null, null]), []]] : [],
  )
  for (const e of counted) {
    const key = JSON.stringify([
      told('LINE', e.line),
      told('PROCESS', e.process),
      told('DEVICE', e.device),
      told('TYPE', e.type),
      groupBy.includes(severityGroup) ? e.severity : null,
    ])
    groups.set(key, [...(groups.get(key) ?? []), e])
  }
  const sorted = [...groups]
    .map(([key, events]) => ({ key: JSON.parse(key) as [...(string | null)[], number | null], events }))
    .sort((a, b) => {
      for (const [i, value] of a.key.entries()) {
        const other = b.key[i] ?? null
        if (value !== other) return (value ?? '') < (other ?? '') ? -1 : 1
      }
      return 0
    })
  const refer = (id: unknown) => (id === null ? null : { id: String(id) })
  const rows = [...inRange].flatMap(piece =>
    sorted.map(
      ({ key: [line, process, device, type, severity], events }): Row => ({
        bucketStart: new Date(starts.get(piece) ?? 0).toISOString(),
        line: refer(line),
        process: refer(process),
        device: refer(device),
        ...(kind === 'anomaly'
          ? {
              type: type === null ? null : String(type),
              severity: severity === null ? null : (names[Number(severity)] ?? null),
            }
          : { level: severity === null ? null : (names[Number(severity)] ?? null) }),
        total: events.filter(
          e => pieceOf(interval, zone, Math.floor(e.at / QUARTER_MS) * QUARTER_MS) === piece,
        ).length,
      }),
    ),
  )
  return { total: counted.length, rows }
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
    const expected = reckon(kind, asked)
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
