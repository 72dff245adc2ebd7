import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SEVERITIES } from '../../schema/severity.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { createRandom } from '../shared/testkit/random.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { openReportsFixture, type ReportsFixture } from './reports-fixture.ts'

const REPORT = `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!, $groupBy: [ResponseReportGroup!]) {
  responseReport(spaceId: $spaceId, from: $from, to: $to, groupBy: $groupBy) {
    rows {
      line { id } process { id } device { id } type severity raised
      acknowledge { ...times } resolve { ...times }
    }
  }
}
fragment times on ResponseTime { count meanSeconds p50Seconds p95Seconds }`

const START = Date.UTC(2026, 2, 1)
const HOUR_MS = 3_600_000
const NO_TIME = { count: 0, meanSeconds: null, p50Seconds: null, p95Seconds: null }
const seed = Math.floor(Math.random() * 2 ** 31)

interface Anomaly {
  id: string
  at: number
  device: string
  line: string | null
  process: string | null
  type: string
  severity: (typeof SEVERITIES)[number]
  acknowledgedAt: number | null
  resolvedAt: number | null
}

let database: TestDatabase
let reports: ReportsFixture
const random = createRandom(seed)
const below = (count: number) => Math.floor(random() * count)
const oneOf = <T>(values: readonly T[]) => values[below(values.length)] as T

beforeAll(async () => {
  database = await openTestDatabase()
  reports = openReportsFixture(database)
})
afterAll(async () => {
  await reports[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function write(spaceId: string, anomalies: readonly Anomaly[]): Promise<void> {
  const date = (at: number | null) => (at === null ? null : new Date(at))
  await reports.others.pool.query(
    `INSERT INTO anomaly (id, space_id, device_id, line_id, process_id, type, severity, clock_replaced, received_at,
       first_occurrence_id, last_occurrence_id, occurrences, status, acknowledged_at, resolved_at, version) VALUES ?`,
    [
      anomalies.map(a => [
        ...[a.id, spaceId, a.device, a.line, a.process, a.type, a.severity, 0, date(a.at), a.id, a.id, 1],
        ...['RESOLVED', date(a.acknowledgedAt), date(a.resolvedAt), 1],
      ]),
    ],
  )
}

function makeAnomaly(fields: Partial<Anomaly> = {}): Anomaly {
  const at = fields.at ?? START + below(20 * 24 * HOUR_MS)
  return {
    ...{ id: newIdAt(at), at, device: newId(), line: null, process: null, type: 'heat', severity: 'MAJOR' },
    ...{ acknowledgedAt: null, resolvedAt: null },
    ...fields,
  }
}

const range = (from: number, to: number) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

it('is one row of nothing where nothing was raised, and none by groups', async () => {
  const { spaceId, member } = await reports.createSpace()
  const asked = { spaceId, ...range(START, START + HOUR_MS) }
  const { data } = await reports.run(member, REPORT, asked)
  expect(data.responseReport.rows).toMatchObject([{ raised: 0, acknowledge: NO_TIME, resolve: NO_TIME }])
  const grouped = await reports.run(member, REPORT, { ...asked, groupBy: ['DEVICE'] })
  expect(grouped.data.responseReport.rows).toEqual([])
})

it('tells percentiles by rank, and no time below 0', async () => {
  const { spaceId, member } = await reports.createSpace()
  const seconds = Array.from({ length: 20 }, (_, i) => i + 1)
  await write(
    spaceId,
    seconds.map(s =>
      makeAnomaly({ at: START, acknowledgedAt: START + s * 1000, resolvedAt: s === 1 ? START - 5 : null }),
    ),
  )
  const { data } = await reports.run(member, REPORT, { spaceId, ...range(START, START + 1) })
  expect(data.responseReport.rows).toMatchObject([
    {
      raised: 20,
      acknowledge: { count: 20, meanSeconds: 10.5, p50Seconds: 10, p95Seconds: 19 },
      resolve: { count: 1, meanSeconds: 0, p50Seconds: 0, p95Seconds: 0 },
    },
  ])
})

it(`is what a plain reckoning says (seed ${seed})`, async () => {
  const { spaceId, member } = await reports.createSpace()
  const devices = Array.from({ length: 4 }, newId)
  const places = [null, newId(), newId()]
  const anomalies = Array.from({ length: 600 }, () => {
    const at = START + below(20 * 24 * HOUR_MS)
    const acknowledgedAt = random() < 0.3 ? null : at + below(oneOf([1_000, HOUR_MS]))
    return makeAnomaly({
      ...{ at, device: oneOf(devices), line: oneOf(places), process: oneOf(places) },
      ...{ type: oneOf(['heat', 'Heat', '과열']), severity: oneOf(SEVERITIES), acknowledgedAt },
      resolvedAt: random() < 0.3 ? null : (acknowledgedAt ?? at) + below(10 * HOUR_MS),
    })
  })
  await write(spaceId, anomalies)
  await write((await reports.createSpace()).spaceId, [makeAnomaly(), makeAnomaly()])

  const timesOf = (times: (number | null)[]) => {
    const sorted = times.filter(time => time !== null).toSorted((a, b) => a - b)
    if (sorted.length === 0) return NO_TIME
    const rank = (percent: number) => (sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0) / 1000
    const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length / 1000
    return {
      count: sorted.length,
      meanSeconds: expect.closeTo(mean, 4),
      p50Seconds: rank(50),
      p95Seconds: rank(95),
    }
  }
  const refer = (id: string | null) => (id === null ? null : { id })
  for (let round = 0; round < 60; round++) {
    const from = START + below(15 * 24 * HOUR_MS)
    const to = from + 1 + below(10 * 24 * HOUR_MS)
    const groupBy = ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY'].filter(() => random() < 0.35)
    const told = <T>(group: string, value: T) => (groupBy.includes(group) ? value : null)
    const groups = Map.groupBy(
      anomalies.filter(a => a.at >= from && a.at < to),
      a =>
        JSON.stringify([
          ...[
            told('LINE', a.line),
            told('PROCESS', a.process),
            told('DEVICE', a.device),
            told('TYPE', a.type),
          ],
          told('SEVERITY', SEVERITIES.indexOf(a.severity)),
        ]),
    )
    // Without groups it is one row, also of nothing.
    if (groupBy.length === 0 && groups.size === 0)
      groups.set(JSON.stringify([null, null, null, null, null]), [])
    const expected = [...groups]
      .map(([key, of]) => ({ key: JSON.parse(key), of }))
      .sort((a, b) => {
        const i = a.key.findIndex((value: unknown, i: number) => value !== b.key[i])
        return (a.key[i] ?? '') < (b.key[i] ?? '') ? -1 : 1
      })
      .map(({ key: [line, process, device, type, severity], of }) => ({
        ...{ line: refer(line), process: refer(process), device: refer(device), type },
        ...{ severity: severity === null ? null : SEVERITIES[severity], raised: of.length },
        acknowledge: timesOf(of.map(a => (a.acknowledgedAt === null ? null : a.acknowledgedAt - a.at))),
        resolve: timesOf(of.map(a => (a.resolvedAt === null ? null : a.resolvedAt - a.at))),
      }))
    database.statements.length = 0
    const { data, errors } = await reports.run(member, REPORT, { spaceId, ...range(from, to), groupBy })
    expect(errors).toEqual([])
    expect(database.statements).toHaveLength(1)
    expect(data.responseReport.rows, JSON.stringify({ from, to, groupBy })).toEqual(expected)
  }
  await reports.others.pool.query('ANALYZE TABLE anomaly')
  const [plans] = await reports.others.pool.query<RowDataPacket[]>(
    `EXPLAIN ${database.statements[0]?.replace(/.*? FOR \*\//s, '')}`,
  )
  const reads = plans.filter(plan => plan.table === 'anomaly')
  expect(reads.length).toBeGreaterThan(0)
  for (const plan of reads) expect(plan).toMatchObject({ type: 'range', key: 'anomaly_space' })
})
