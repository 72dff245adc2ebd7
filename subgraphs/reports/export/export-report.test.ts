import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_PLACE } from '../../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { asUser, openReportsFixture, type ReportsFixture, SECRET } from '../reports-fixture.ts'
import { parseCsv } from './csv-parser.ts'
import { type ExportFixture, startExportFixture } from './export-fixture.ts'
import { openExportLink } from './export-link.ts'

const EXPORT = `mutation ($input: ExportReportInput!) {
  exportReport(input: $input) { url expiresAt userErrors { code message field } }
}`
const QUARTER_MS = 900_000
const DAY_MS = 96 * QUARTER_MS
const at = (epochMs: number) => new Date(epochMs).toISOString()

let database: TestDatabase
let fixture: ReportsFixture
let files: ExportFixture
beforeAll(async () => {
  database = await openTestDatabase()
  fixture = openReportsFixture(database)
  files = await startExportFixture(database.pool)
})
afterAll(async () => {
  await files[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

describe('exportReport', () => {
  it('answers a link for who may read the space, for five minutes and up to the moment of asking', async () => {
    const { spaceId, member } = await fixture.createSpace()
    const askedAt = Date.now()
    const input = {
      ...{
        spaceId,
        kind: 'LOGS',
        from: at(0),
        to: at(askedAt + DAY_MS),
      },
      ...{ levels: ['ERROR', 'ERROR'], timezone: 'asia/seoul' },
    }
    const { data, errors } = await fixture.run(member, EXPORT, { input })
    expect(errors).toEqual([])
    const { url, expiresAt, userErrors } = data.exportReport
    expect(userErrors).toEqual([])
    expect(Date.parse(expiresAt) - askedAt).toBeLessThan(5 * 60_000 + 5_000)
    const request = openExportLink(SECRET, url.slice('/exports/'.length))
    expect(request).toMatchObject({
      ...{ kind: 'LOGS', spaceId, userId: member.kind === 'user' && member.userId, from: 0 },
      ...{ levels: ['ERROR'], timezone: 'Asia/Seoul', bom: false, deviceIds: null },
    })
    expect(request?.to).toBeGreaterThanOrEqual(askedAt)
    expect(request?.to).toBeLessThanOrEqual(Date.now())
  })

  it('hides the space from others, and asks strangers to sign in', async () => {
    const { spaceId } = await fixture.createSpace()
    const input = { spaceId, kind: 'LOGS', from: at(0), to: at(Date.now()) }
    expect((await fixture.run(asUser(newId()), EXPORT, { input })).errors).toEqual([
      'NOT_FOUND There is no such space.',
    ])
    expect((await fixture.run(null, EXPORT, { input })).errors).toEqual(['UNAUTHENTICATED Sign in first.'])
  })

  it.each([
    ['LOGS', { to: at(0) }, 'to'],
    ['LOGS', { severities: ['MAJOR'] }, 'severities'],
    ['LOGS', { deviceIds: ['x'] }, 'deviceIds'],
    ['LOGS', { deviceIds: Array.from({ length: 101 }, newId) }, 'deviceIds'],
    ['LOGS', { lineId: "' OR 1=1" }, 'lineId'],
    ['LOGS', { spaceId: 'x' }, 'spaceId'],
    ['LOGS', { timezone: '+09:00' }, 'timezone'],
    ['LOGS', { interval: 'DAY' }, 'interval'],
    ['ANOMALIES', { levels: ['INFO'] }, 'levels'],
    ['ANOMALIES', { types: ['x'.repeat(65)] }, 'types'],
    ['ANOMALY_REPORT', { groupBy: ['LEVEL'] }, 'groupBy'],
    ['ANOMALY_REPORT', { deviceIds: [newId()] }, 'deviceIds'],
    ['LOG_REPORT', { interval: 'HOUR' }, 'to'],
  ])('says what is wrong with %s %o', async (kind, change, field) => {
    const { spaceId, member } = await fixture.createSpace()
    const input = { spaceId, kind, from: at(0), to: at(100 * DAY_MS), ...change }
    const { data, errors } = await fixture.run(member, EXPORT, { input })
    expect(errors).toEqual([])
    expect(data.exportReport).toMatchObject({
      url: null,
      expiresAt: null,
      userErrors: [{ code: 'BAD_USER_INPUT', field }],
    })
  })

  it.each(['LOGS', 'ANOMALIES', 'ANOMALY_REPORT', 'LOG_REPORT'] as const)(
    'of %s reaches from the first year to the last, if it is no report',
    async kind => {
      const { spaceId, member } = await fixture.createSpace()
      const input = { spaceId, kind, from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' }
      const { data, errors } = await fixture.run(member, EXPORT, { input })
      expect(errors).toEqual([])
      if (kind.endsWith('REPORT')) {
        expect(data.exportReport.userErrors).toMatchObject([{ code: 'BAD_USER_INPUT', field: 'to' }])
        return
      }
      const space = await files.createSpace()
      const {
        userId: _,
        spaceId: __,
        ...asked
      } = openExportLink(SECRET, data.exportReport.url.slice('/exports/'.length)) ?? {}
      const response = await fetch(files.link(space, asked))
      expect([response.status, (await response.text()).split('\r\n').length]).toEqual([200, 2])
      expect(response.headers.get('content-disposition')).toMatch(/ 0001-01-01 \d{4}-\d\d-\d\d\.csv"/)
    },
  )

  it.each([
    ['ends before it begins', '2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['is empty', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  ])('is refused when its range %s', async (_, from, to) => {
    const { spaceId, member } = await fixture.createSpace()
    for (const kind of ['LOGS', 'ANOMALIES', 'ANOMALY_REPORT', 'LOG_REPORT']) {
      const { data } = await fixture.run(member, EXPORT, { input: { spaceId, kind, from, to } })
      expect(data.exportReport).toMatchObject({ url: null, userErrors: [{ field: 'to' }] })
    }
  })

  it('of what lies ahead is a header', async () => {
    const { spaceId, member } = await fixture.createSpace()
    const space = await files.createSpace()
    for (const kind of ['LOGS', 'ANOMALIES', 'ANOMALY_REPORT', 'LOG_REPORT'] as const) {
      const input = { spaceId, kind, from: '9998-06-01T00:00:00Z', to: '9999-01-01T00:00:00Z' }
      const { data } = await fixture.run(member, EXPORT, { input })
      const token = data.exportReport.url.slice('/exports/'.length)
      const { userId: _, spaceId: __, ...asked } = openExportLink(SECRET, token) ?? {}
      const response = await fetch(files.link(space, asked))
      expect([response.status, (await response.text()).split('\r\n').length]).toEqual([200, 2])
    }
  })
})

describe('an exported report', () => {
  it('has the rows of the report by the calendar of the zone, more than an answer may have', async () => {
    const space = await files.createSpace()
    const types = Array.from({ length: 60 }, (_, i) => `TYPE_${String(i).padStart(2, '0')}`)
    const first = Math.floor(Date.UTC(2026, 2, 1) / QUARTER_MS)
    const rows = Array.from({ length: 14 * 24 }, (_, hour) => hour).flatMap(hour =>
      types.map(type => [
        space.spaceId,
        first + hour * 4,
        space.deviceIds[0],
        type,
        NO_PLACE,
        NO_PLACE,
        0,
        1,
        0,
        2,
      ]),
    )
    await fixture.insert('anomaly_rollup_fine', rows)
    const link = files.link(space, {
      ...{ kind: 'ANOMALY_REPORT', interval: 'HOUR', groupBy: ['DEVICE', 'TYPE', 'SEVERITY'] },
      ...{ from: first * QUARTER_MS, to: (first + 14 * 96) * QUARTER_MS, timezone: 'Asia/Kolkata' },
    })
    const response = await fetch(link)
    const [header, ...cells] = parseCsv(await response.text())
    expect(header).toEqual(['bucketStart', 'deviceCode', 'deviceName', 'type', 'severity', 'total'])
    expect(cells.slice(0, 3)).toEqual([
      ['2026-03-01T05:00:00.000+05:30', 'D-0', 'Device 0', 'TYPE_00', 'MINOR', '1'],
      ['2026-03-01T05:00:00.000+05:30', 'D-0', 'Device 0', 'TYPE_00', 'CRITICAL', '2'],
      ['2026-03-01T05:00:00.000+05:30', 'D-0', 'Device 0', 'TYPE_01', 'MINOR', '1'],
    ])
    expect(cells).toHaveLength(14 * 24 * 60 * 2)
  })

  it('has a row a bucket without groups, also where there is nothing', async () => {
    const space = await files.createSpace()
    const day = (number: number) => Date.UTC(2026, 2, number)
    await fixture.insert('log_rollup_coarse', [
      [space.spaceId, day(2) / QUARTER_MS, space.lineIds[0], space.processIds[0], 1, 2, 3, 4],
    ])
    const link = files.link(space, { kind: 'LOG_REPORT', from: day(1), to: day(4) })
    expect(parseCsv(await (await fetch(link)).text())).toEqual([
      ['bucketStart', 'total'],
      ['2026-03-01T00:00:00.000Z', '0'],
      ['2026-03-02T00:00:00.000Z', '10'],
      ['2026-03-03T00:00:00.000Z', '0'],
    ])
  })
})
