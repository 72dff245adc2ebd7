import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { createRandom } from '../shared/testkit/random.ts'
import { newId, newIdAt } from '../shared/uuid-v7.ts'
import { asUser, openReportsFixture, type ReportsFixture } from './reports-fixture.ts'

const REPORT = `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!, $timezone: String, $groupBy: [AvailabilityReportGroup!]) {
  availabilityReport(spaceId: $spaceId, from: $from, to: $to, timezone: $timezone, groupBy: $groupBy) {
    from to timezone
    rows { device { id } line { id } process { id } onlineRatio downtimeSeconds outages mtbfSeconds mttrSeconds }
  }
}`
const OF_DEVICES = `query ($devices: [_Any!]!, $from: DateTime!, $to: DateTime!) {
  _entities(representations: $devices) {
    ... on Device { id availability(from: $from, to: $to) { onlineRatio downtimeSeconds outages mtbfSeconds mttrSeconds } }
  }
}`

const START = Date.UTC(2026, 2, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NO_FIGURES = { onlineRatio: null, downtimeSeconds: 0, outages: 0, mtbfSeconds: null, mttrSeconds: null }

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

type Space = Awaited<ReturnType<ReportsFixture['createSpace']>>

/** Writes that a device went online and offline in turns, and where that left it. */
async function write(
  spaceId: string,
  deviceId: string,
  turns: readonly number[],
  isOnlineNow = turns.length % 2 === 1,
) {
  await reports.insert(
    'presence_event',
    turns.map((at, i) => [spaceId, newIdAt(at), deviceId, i % 2 === 0 ? 'ONLINE' : 'OFFLINE']),
  )
  await reports.others.pool.query(
    'INSERT INTO device_status (device_id, space_id, online) VALUES (?, ?, ?)',
    [...[deviceId, spaceId, isOnlineNow]],
  )
}

async function ask(
  { spaceId, member }: Space,
  from: number,
  to: number,
  groupBy: string[] = [],
  timezone?: string,
) {
  const { data, errors } = await reports.run(member, REPORT, {
    ...{ spaceId, groupBy, timezone },
    ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  })
  expect(errors).toEqual([])
  return data.availabilityReport
}

describe('availability', () => {
  it('of a device that was never seen is none from its registration on', async () => {
    const space = await reports.createSpace({ deviceCount: 1, createdAt: new Date(START) })
    const { rows } = await ask(space, START - HOUR_MS, START + HOUR_MS)
    expect(rows).toEqual([
      {
        ...{ device: null, line: null, process: null },
        ...{ onlineRatio: 0, downtimeSeconds: 3600, outages: 1, mtbfSeconds: 0, mttrSeconds: 3600 },
      },
    ])
  })

  it('is unknown where there is no device, before it was registered, and ahead', async () => {
    const empty = await reports.createSpace()
    expect((await ask(empty, START, START + HOUR_MS)).rows).toMatchObject([NO_FIGURES])
    expect((await ask(empty, START, START + HOUR_MS, ['DEVICE'])).rows).toEqual([])
    const later = await reports.createSpace({ deviceCount: 1, createdAt: new Date(START) })
    expect((await ask(later, START - HOUR_MS, START, ['DEVICE'])).rows).toMatchObject([NO_FIGURES])
    const ahead = await ask(later, Date.now() + HOUR_MS, Date.now() + 2 * HOUR_MS)
    expect(ahead.rows).toMatchObject([NO_FIGURES])
    expect(ahead.to).toBe(ahead.from)
  })

  it('counts what lasts up to now', async () => {
    const space = await reports.createSpace({ deviceCount: 2, createdAt: new Date(START) })
    const now = Date.now()
    const [on = '', off = ''] = space.deviceIds
    await write(space.spaceId, on, [now - 3 * HOUR_MS])
    await write(space.spaceId, off, [START, now - HOUR_MS])
    const report = await ask(space, now - 2 * HOUR_MS, now + 5 * HOUR_MS, ['DEVICE'])
    const until = Date.parse(report.to)
    expect(until - now).toBeLessThan(60_000)
    const byDevice = new Map(report.rows.map((row: { device: { id: string } }) => [row.device.id, row]))
    expect(byDevice.get(on)).toMatchObject({
      onlineRatio: 1,
      outages: 0,
      mtbfSeconds: null,
      mttrSeconds: null,
    })
    const seconds = (until - now + HOUR_MS) / 1000
    expect(byDevice.get(off)).toMatchObject({
      downtimeSeconds: seconds,
      outages: 1,
      mttrSeconds: seconds,
      mtbfSeconds: 3600,
    })
  })

  it('knows by what came later, or by what is, when the events before the range are gone', async () => {
    const space = await reports.createSpace({ deviceCount: 3, createdAt: new Date(START) })
    const [ended = '', lasting = '', away = ''] = space.deviceIds
    const from = START + 100 * HOUR_MS
    await reports.insert('presence_event', [[space.spaceId, newIdAt(from + HOUR_MS), ended, 'OFFLINE']])
    await write(space.spaceId, lasting, [], true)
    await write(space.spaceId, away, [], false)
    const { rows } = await ask(space, from, from + 2 * HOUR_MS, ['DEVICE'])
    const ratios = new Map(
      rows.map((row: { device: { id: string }; onlineRatio: number }) => [row.device.id, row.onlineRatio]),
    )
    expect([ended, lasting, away].map(id => ratios.get(id))).toEqual([0.5, 1, 0])
  })

  it('leaves out removed devices, and other spaces', async () => {
    const space = await reports.createSpace({ deviceCount: 2, createdAt: new Date(START) })
    await reports.others.pool.query('UPDATE device SET removed = 1 WHERE id = ?', [space.deviceIds[0]])
    const { rows } = await ask(space, START, START + HOUR_MS, ['DEVICE'])
    expect(rows.map((row: { device: { id: string } }) => row.device.id)).toEqual([space.deviceIds[1]])
  })

  it('answers the zone that was asked for, else that of the space', async () => {
    const space = await reports.createSpace({ timezone: 'Asia/Seoul' })
    expect((await ask(space, START, START + 1, [], 'europe/berlin')).timezone).toBe('Europe/Berlin')
    expect((await ask(space, START, START + 1)).timezone).toBe('Asia/Seoul')
  })

  it.each([
    ['a range that ends before it begins', { to: '2026-02-28T00:00:00Z' }, /from is before to/],
    ['a range of more than a year', { to: '2027-03-03T00:00:00Z' }, /366 days/],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, /timezone is no time zone/],
    ['an id that is none', { spaceId: 'x' }, /spaceId is a UUIDv7/],
  ])('refuses %s', async (_, wrong, message) => {
    const { spaceId, member } = await reports.createSpace()
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }
    const { errors } = await reports.run(member, REPORT, { spaceId, ...range, ...wrong })
    expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT /)])
    expect(errors[0]).toMatch(message)
  })
})

const seed = Math.floor(Math.random() * 2 ** 31)

describe('a fleet with a past', () => {
  const random = createRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const places = [null, newId(), newId()]
  interface Device {
    id: string
    createdAt: number
    line: string | null
    process: string | null
    /** Online and offline in turns. */
    turns: number[]
  }
  let space: Space
  let devices: Device[]

  beforeAll(async () => {
    space = await reports.createSpace({ deviceCount: 20, createdAt: new Date(START) })
    const lines = [places[1], places[2]]
    devices = space.deviceIds.map(id => {
      const createdAt = START + below(30 * 24 * HOUR_MS)
      let at = createdAt
      const turns = Array.from({ length: random() < 0.15 ? 0 : below(60) }, () => {
        at += 1 + below(random() < 0.5 ? 20 * MINUTE_MS : 48 * HOUR_MS)
        return at
      })
      return { id, createdAt, turns, line: places[below(3)] ?? null, process: lines[below(2)] ?? null }
    })
    for (const { id, createdAt, line, process, turns } of devices) {
      await reports.others.pool.query(
        'UPDATE device SET created_at = ?, line_id = ?, process_id = ? WHERE id = ?',
        [new Date(createdAt), line, process, id],
      )
      if (turns.length > 0) await write(space.spaceId, id, turns)
    }
  })

  /** The model: walks a device's past. */
  function walk({ createdAt, turns }: Device, from: number, to: number) {
    const since = Math.min(to, Math.max(from, createdAt))
    let [online, offline, outages] = [0, 0, 0]
    const edges = [createdAt, ...turns, Number.POSITIVE_INFINITY]
    for (let i = 0; i + 1 < edges.length; i++) {
      const ms = Math.min(edges[i + 1] ?? 0, to) - Math.max(edges[i] ?? 0, since)
      if (ms <= 0) continue
      if (i % 2 === 1) online += ms
      else {
        offline += ms
        outages++
      }
    }
    return { online, offline, outages }
  }

  function reckon(from: number, to: number, groupBy: readonly string[]) {
    const groups = Map.groupBy(devices, ({ line, process, id }) =>
      JSON.stringify([
        groupBy.includes('LINE') ? line : null,
        groupBy.includes('PROCESS') ? process : null,
        groupBy.includes('DEVICE') ? id : null,
      ]),
    )
    const refer = (id: string | null | undefined) => (id == null ? null : { id })
    return [...groups]
      .map(([key, of]) => ({ key: JSON.parse(key) as (string | null)[], of }))
      .sort((a, b) => (a.key.map(id => id ?? '').join(' ') < b.key.map(id => id ?? '').join(' ') ? -1 : 1))
      .map(({ key: [line, process, device], of }) => {
        const walks = of.map(one => walk(one, from, to))
        const sum = (of: (walk: (typeof walks)[number]) => number) =>
          walks.reduce((total, one) => total + of(one), 0)
        const [online, offline, outages] = [sum(w => w.online), sum(w => w.offline), sum(w => w.outages)]
        return {
          ...{ line: refer(line), process: refer(process), device: refer(device) },
          ...{ onlineRatio: online + offline === 0 ? null : online / (online + offline), outages },
          downtimeSeconds: offline / 1000,
          mtbfSeconds: outages === 0 ? null : online / 1000 / outages,
          mttrSeconds: outages === 0 ? null : offline / 1000 / outages,
        }
      })
  }

  it(`is told as a plain reckoning tells it (seed ${seed})`, async () => {
    for (let round = 0; round < 80; round++) {
      const from = START + below(60 * 24 * HOUR_MS)
      const to = from + 1 + below(round % 2 === 0 ? 30 * 24 * HOUR_MS : HOUR_MS)
      const groupBy = ['LINE', 'PROCESS', 'DEVICE'].filter(() => random() < 0.4)
      const { rows } = await ask(space, from, to, groupBy)
      expect(rows, JSON.stringify({ from, to, groupBy })).toEqual(reckon(from, to, groupBy))
    }
  })

  it('takes one statement of its own for a report, and one for a page of devices', async () => {
    const range = { from: '2026-03-10T00:00:00Z', to: '2026-03-20T00:00:00Z' }
    for (const count of [1, 20]) {
      database.statements.length = 0
      await reports.run(space.member, REPORT, { spaceId: space.spaceId, ...range, timezone: 'UTC' })
      expect(database.statements).toHaveLength(1)
      database.statements.length = 0
      const asked = space.deviceIds.slice(0, count).map(id => ({ __typename: 'Device', id }))
      const { data, errors } = await reports.run(space.member, OF_DEVICES, { devices: asked, ...range })
      expect(errors).toEqual([])
      expect(database.statements).toHaveLength(1)
      const expected = reckon(Date.parse(range.from), Date.parse(range.to), ['DEVICE'])
      const byDevice = new Map(
        expected.map(({ device, line: _line, process: _process, ...figures }) => [device?.id, figures]),
      )
      for (const { id, availability } of data._entities) expect(availability).toEqual(byDevice.get(id))
    }
  })

  it('reads presence by the index of its devices', async () => {
    await reports.createSpace({ deviceCount: 500 })
    await reports.others.pool.query('ANALYZE TABLE device')
    database.statements.length = 0
    await ask(space, START + 24 * HOUR_MS, START + 48 * HOUR_MS, ['DEVICE'], 'UTC')
    const [plans] = await reports.others.pool.query<RowDataPacket[]>(
      `EXPLAIN ${database.statements[0]?.replace(/.*? FOR \*\//s, '')}`,
    )
    const ofEvents = plans.filter(plan => plan.table === 'e')
    expect(ofEvents.length).toBeGreaterThanOrEqual(3)
    for (const plan of ofEvents) {
      expect(plan.key).toBe('presence_event_device')
      expect(plan.type).toMatch(/^(ref|range)$/)
    }
    for (const plan of plans.filter(plan => ['device', 's'].includes(plan.table)))
      expect(plan.type).not.toBe('ALL')
  })

  it('is none of a stranger’s business', async () => {
    const range = { from: '2026-03-10T00:00:00Z', to: '2026-03-20T00:00:00Z' }
    const devices = space.deviceIds.slice(0, 1).map(id => ({ __typename: 'Device', id }))
    const { data, errors } = await reports.run(asUser(newId()), OF_DEVICES, { devices, ...range })
    expect(data._entities).toEqual([{ id: space.deviceIds[0], availability: null }])
    expect(errors).toEqual(['NOT_FOUND There is no such device.'])
  })
})
