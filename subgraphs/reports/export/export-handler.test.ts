import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMysql } from '../../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../../shared/testkit/open-test-database.ts'
import { waitFor } from '../../shared/testkit/wait-for.ts'
import { parseCsv } from './csv-parser.ts'
import { type ExportFixture, type ExportSpace, startExportFixture, type TestEvent } from './export-fixture.ts'

const HOUR_MS = 3_600_000
/** 2026-03-28 15:00 UTC: the night in which Berlin goes to summer time is ahead. */
const START = Date.UTC(2026, 2, 28, 15)

let database: TestDatabase
let fixture: ExportFixture
beforeAll(async () => {
  database = await openTestDatabase()
  fixture = await startExportFixture(database.pool)
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** The rows of a file as objects, by the names in its header. */
async function download(link: string): Promise<Record<string, string | undefined>[]> {
  const response = await fetch(link)
  expect(response.status).toBe(200)
  const [header = [], ...rows] = parseCsv(await response.text())
  return rows.map(row => Object.fromEntries(header.map((name, i) => [name, row[i]])))
}

/** Begins a download and reads its head alone. */
async function begin(link: string): Promise<IncomingMessage> {
  const request = get(link)
  request.on('error', () => {})
  const [response] = await once(request, 'response')
  return response
}

/** Many rows: more than the sockets between take. */
async function createLargeSpace(count: number): Promise<ExportSpace> {
  const space = await fixture.createSpace()
  const message = 'Spindle temperature 61.4 °C, within limits. '.repeat(10)
  await fixture.insertLogs(
    space,
    Array.from({ length: count }, (_, i) => ({ at: START + i, device: i % 3, message })),
  )
  return space
}

/** Statements of exports that run on the server now. */
async function countRunning(): Promise<number> {
  const [rows] = await database.pool.query(
    "SELECT COUNT(*) AS total FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT id, received_at%' AND DB = DATABASE()",
  )
  return Number((rows as { total: number }[])[0]?.total)
}

/** Statements that wait for a table. */
async function countWaiting(): Promise<number> {
  const [rows] = await database.pool.query(
    "SELECT COUNT(*) AS total FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for table%' AND DB = DATABASE()",
  )
  return Number((rows as { total: number }[])[0]?.total)
}

describe('an exported file', () => {
  it('has a row an event, oldest first, with names and places, and times with the offset of then', async () => {
    const space = await fixture.createSpace()
    await fixture.insertLogs(space, [
      { at: START + 10 * HOUR_MS + 5, device: 2, grade: 'ERROR', message: '=cmd|calc', attributes: { a: 1 } },
      { at: START + 9 * HOUR_MS + 59 * 60_000, message: 'two\r\nlines, "quoted"' },
    ])
    const rows = await download(fixture.link(space, { timezone: 'Europe/Berlin' }))
    expect(rows.map(({ id: _, ...row }) => row)).toEqual([
      {
        occurredAt: '2026-03-29T01:59:00.000+01:00',
        receivedAt: '2026-03-29T01:59:00.001+01:00',
        ...{ deviceCode: 'D-0', deviceName: 'Device 0', line: 'Line 1', process: 'Milling' },
        ...{ level: 'INFO', message: 'two\r\nlines, "quoted"', attributes: '', clockReplaced: 'false' },
      },
      {
        occurredAt: '2026-03-29T03:00:00.005+02:00',
        receivedAt: '2026-03-29T03:00:00.006+02:00',
        ...{ deviceCode: 'D-2', deviceName: 'Device 2', line: '', process: '' },
        ...{ level: 'ERROR', message: "'=cmd|calc", attributes: '{"a":1}', clockReplaced: 'false' },
      },
    ])
  })

  it('of anomalies has occurrences, not word that one is over, and scores as numbers', async () => {
    const space = await fixture.createSpace()
    await fixture.insertAnomalies(space, [
      { at: START, grade: 'CRITICAL', type: '-overheat', score: -0.25, message: '@here' },
      { at: START + 1, cleared: true },
      { at: START + 2, type: 'Übertemperatur 🌡' },
    ])
    const rows = await download(fixture.link(space, { kind: 'ANOMALIES', timezone: null }))
    expect(
      rows.map(({ type, severity, score, message, occurredAt }) => [
        type,
        severity,
        score,
        message,
        occurredAt,
      ]),
    ).toEqual([
      ["'-overheat", 'CRITICAL', '-0.25', "'@here", '2026-03-29T00:00:00.000+09:00'],
      ['Übertemperatur 🌡', 'MAJOR', '', '', '2026-03-29T00:00:00.002+09:00'],
    ])
  })

  it.each<
    [
      string,
      Parameters<ExportFixture['link']>[1] | ((space: ExportSpace) => Parameters<ExportFixture['link']>[1]),
      (event: TestEvent) => boolean,
    ]
  >([
    ['a range', { from: START + 10, to: START + 20 }, ({ at }) => at >= START + 10 && at < START + 20],
    ['a device', ({ deviceIds }) => ({ deviceIds: [deviceIds[1] ?? ''] }), ({ device }) => device === 1],
    [
      'devices and levels',
      ({ deviceIds }) => ({ deviceIds: deviceIds.slice(1), levels: ['WARN', 'ERROR'] }),
      ({ device, grade }) => device !== 0 && grade !== 'INFO',
    ],
    ['a line', ({ lineIds }) => ({ lineId: lineIds[0] ?? '' }), ({ device }) => device !== 2],
    [
      'a process and a level',
      ({ processIds }) => ({ processId: processIds[0] ?? '', levels: ['ERROR'] }),
      ({ device, grade }) => device !== 2 && grade === 'ERROR',
    ],
    ['levels', { levels: ['INFO', 'ERROR'] }, ({ grade }) => grade !== 'WARN'],
    ['no device', { deviceIds: [] }, () => false],
    ['no level', { levels: [] }, () => false],
  ])('narrowed by %s has all of it, once, in order', async (_, filter, isWanted) => {
    const space = await fixture.createSpace()
    const grades = ['INFO', 'WARN', 'ERROR']
    const events = Array.from({ length: 3_500 }, (_, i) => {
      return { at: START + i * 7, device: i % 3, grade: grades[(i >> 2) % 3] ?? 'INFO', message: String(i) }
    })
    await fixture.insertLogs(space, events)
    const request = typeof filter === 'function' ? filter(space) : filter
    const rows = await download(fixture.link(space, request))
    expect(rows.map(({ message }) => message)).toEqual(events.filter(isWanted).map(({ message }) => message))
  })

  it.each([
    ['severities', { severities: ['MINOR'] }, 1],
    ['types', { types: ['A', 'B'] }, 2],
    ['types and severities', { types: ['A'], severities: ['MINOR', 'MAJOR'] }, 1],
    ['none of them', { types: ['C'] }, 0],
  ])('of anomalies is narrowed by %s', async (_, filter, count) => {
    const space = await fixture.createSpace()
    await fixture.insertAnomalies(space, [
      { at: START, type: 'A', grade: 'MINOR' },
      { at: START + 1, type: 'B', grade: 'CRITICAL' },
      { at: START + 2, type: 'D', grade: 'MAJOR' },
    ])
    expect(await download(fixture.link(space, { kind: 'ANOMALIES', ...filter }))).toHaveLength(count)
  })

  it('of a space without events is a header', async () => {
    const space = await fixture.createSpace()
    expect(await download(fixture.link(space))).toEqual([])
  })

  it('is an attachment that nobody keeps, begins with a mark only if wanted, and says about how long it is', async () => {
    const space = await fixture.createSpace('Halle "Süd"/1')
    await fixture.insertLogs(space, [{ at: START }])
    await database.pool.query('INSERT INTO log_rollup_coarse VALUES (?)', [
      [space.spaceId, START / 900_000, space.lineIds[0], space.processIds[0], 0, 1, 0, 0],
    ])
    const link = fixture.link(space, { from: START, to: START + HOUR_MS, bom: true })
    const response = await fetch(link)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-estimated-rows': '1',
      'content-disposition': `attachment; filename="logs Halle -S_d--1 2026-03-28 2026-03-28.csv"; filename*=UTF-8''logs%20Halle%20-S%C3%BCd--1%202026-03-28%202026-03-28.csv`,
    })
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 5)]).toEqual([
      0xef, 0xbb, 0xbf, 0x69, 0x64,
    ])
    const head = await fetch(link, { method: 'HEAD' })
    expect([head.status, head.headers.get('x-estimated-rows'), await head.text()]).toEqual([200, '1', ''])
    expect(await (await fetch(fixture.link(space))).text()).toMatch(/^id,/)
  })
})

describe('a link', () => {
  it('is refused when it was changed, is over, or asks with another method', async () => {
    const space = await fixture.createSpace()
    const link = fixture.link(space)
    expect((await fetch(`${link}A`)).status).toBe(403)
    expect((await fetch(`${fixture.url}/exports/`)).status).toBe(403)
    expect((await fetch(link, { method: 'POST' })).status).toBe(405)
    expect((await fetch(link)).status).toBe(200)
  })

  it('opens nothing for who is no member any more, when it is opened', async () => {
    const space = await fixture.createSpace()
    const link = fixture.link(space)
    fixture.roles.delete(space.userId)
    const response = await fetch(link)
    expect([response.status, await response.text()]).toEqual([404, 'There is no such space.\n'])
  })
})

describe('exports', () => {
  it('are so many at once in a process, and the next is told to come again', async () => {
    const space = await createLargeSpace(20_000)
    await using narrow = await startExportFixture(database.pool, { maxExports: 2 })
    narrow.roles.set(space.userId, 'VIEWER')
    const running = [await begin(narrow.link(space)), await begin(narrow.link(space))]
    const refused = await fetch(narrow.link(space))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
    for (const response of running) response.destroy()
    await waitFor(async () => (await fetch(narrow.link(space), { method: 'HEAD' })).ok, {
      what: 'a free place',
    })
  })

  it.each([
    ['LOGS', 'log'],
    ['LOG_REPORT', 'log_rollup_coarse'],
  ] as const)('of %s end the statement on the server when the client goes', async (kind, table) => {
    const space = await fixture.createSpace()
    await fixture.insertLogs(space, [{ at: START }, { at: START + 1 }])
    // The export waits for the table; what waits is on the list of what runs.
    await using other = openMysql({ url: database.url, poolSize: 1 })
    await other.pool.query(`LOCK TABLES ${table} WRITE`)
    const link = fixture.link(space, { kind, from: START, to: START + HOUR_MS })
    const request = get(link)
    request.on('error', () => {})
    await waitFor(async () => (await countWaiting()) === 1, { what: 'the statement' })
    request.destroy()
    await waitFor(async () => (await countWaiting()) === 0, { what: 'its end' })
    await other.pool.query('UNLOCK TABLES')
    expect((await fetch(link)).status).toBe(200)
  })

  it('read no further than the client takes, in constant memory', async () => {
    const space = await createLargeSpace(60_000)
    const before = database.statements.length
    const response = await begin(fixture.link(space))
    const read = () => database.statements.slice(before).filter(sql => sql.includes('FROM log FORCE')).length
    await waitFor(() => read() > 2)
    let last = -1
    await waitFor(() => {
      const isStill = read() === last
      last = read()
      return isStill
    })
    expect(last).toBeLessThan(40)
    let bytes = 0
    for await (const chunk of response) bytes += chunk.length
    expect(bytes).toBeGreaterThan(60_000 * 400)
    expect(read()).toBeGreaterThanOrEqual(60)
  })

  it('break the connection when the database goes, so that no part looks like the whole', async () => {
    const space = await createLargeSpace(40_000)
    const own = openMysql({ url: database.url })
    await using broken = await startExportFixture(own.pool)
    broken.roles.set(space.userId, 'VIEWER')
    const response = await begin(broken.link(space))
    await own[Symbol.asyncDispose]()
    await expect(
      (async () => {
        for await (const _ of response);
      })(),
    ).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(response.complete).toBe(false)
  })

  it('give up a client that takes nothing, when that time is over', async () => {
    const space = await createLargeSpace(40_000)
    await using impatient = await startExportFixture(database.pool, { stallMs: 2_000, maxExports: 1 })
    impatient.roles.set(space.userId, 'VIEWER')
    const response = await begin(impatient.link(space))
    response.pause()
    const startedAt = performance.now()
    expect((await fetch(impatient.link(space))).status).toBe(503)
    await waitFor(async () => (await fetch(impatient.link(space), { method: 'HEAD' })).ok)
    expect(performance.now() - startedAt).toBeLessThan(3_500)
    response.on('error', () => {}).resume()
    await waitFor(() => response.closed)
    expect(response.complete).toBe(false)
  })

  it('end with the server', async () => {
    const space = await createLargeSpace(40_000)
    const stopped = await startExportFixture(database.pool)
    stopped.roles.set(space.userId, 'VIEWER')
    const response = await begin(stopped.link(space))
    response.on('error', () => {}).resume()
    await stopped[Symbol.asyncDispose]()
    await waitFor(() => response.closed)
    expect(response.complete).toBe(false)
    expect(await countRunning()).toBe(0)
  })
})
