import type { RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { metricMinute, stateChange } from '../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { asDevice, type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'

const FROM = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const iso = (ms: number) => new Date(ms).toISOString()

const HISTORY = `
  query History($id: ID!, $from: DateTime!, $to: DateTime!, $first: Int, $after: String) {
    device(id: $id) {
      stateHistory(from: $from, to: $to, first: $first, after: $after) {
        nodes {
          ... on StatusChange { at status }
          ... on MetricSample { at key last min max }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`

let database: TestDatabase
let redis: TestRedis
let fixture: DeviceFixture
let factory: TestSpace

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  fixture = await openDeviceFixture(database, redis)
  factory = await fixture.createSpace({ devices: 40 })
  for (const { id } of factory.devices) await keep(id)
})
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
beforeEach(() => {
  database.statements.length = 0
})

/** Changes of status every 40 minutes from an hour before FROM on, and two metrics each minute. */
async function keep(deviceId: string): Promise<void> {
  const statuses = ['RUNNING', 'IDLE', 'ERROR'] as const
  await database.db.insert(stateChange).values(
    Array.from({ length: 6 }, (_, i) => ({
      ...{ deviceId, at: FROM - 60 * MINUTE_MS + i * 40 * MINUTE_MS },
      status: statuses[i % 3] ?? ('UNKNOWN' as const),
    })),
  )
  await database.db.insert(metricMinute).values(
    ['rpm', 'Rpm'].flatMap(metric =>
      Array.from({ length: 30 }, (_, i) => {
        const minute = FROM / MINUTE_MS - 5 + i
        return {
          ...{ deviceId, metric, minute, lastAt: minute * MINUTE_MS + 59_000 },
          ...{ lastValue: i, minValue: i - 1, maxValue: i + 0.5 },
        }
      }),
    ),
  )
}

const deviceId = () => factory.devices[0]?.id ?? ''

async function read(variables: Record<string, unknown> = {}) {
  const all = { id: deviceId(), from: iso(FROM), to: iso(FROM + DAY_MS), ...variables }
  const { data, errors } = await fixture.run(factory.owner, HISTORY, all)
  return { history: data?.device?.stateHistory, errors }
}

describe('Device.stateHistory', () => {
  it('begins with the status of its beginning, then changes by time, then metrics by name and minute', async () => {
    const { history } = await read()
    const { nodes, pageInfo } = history
    expect(nodes.slice(0, 5)).toEqual([
      { at: iso(FROM - 20 * MINUTE_MS), status: 'IDLE' },
      { at: iso(FROM + 20 * MINUTE_MS), status: 'ERROR' },
      { at: iso(FROM + 60 * MINUTE_MS), status: 'RUNNING' },
      { at: iso(FROM + 100 * MINUTE_MS), status: 'IDLE' },
      { at: iso(FROM + 140 * MINUTE_MS), status: 'ERROR' },
    ])
    expect(nodes[5]).toEqual({ at: iso(FROM), key: 'Rpm', last: 5, min: 4, max: 5.5 })
    expect(nodes.slice(5).map(({ key }: { key: string }) => key)).toEqual([
      ...Array(25).fill('Rpm'),
      ...Array(25).fill('rpm'),
    ])
    expect(pageInfo.hasNextPage).toBe(false)
  })

  it('comes in pages that put together are the whole, whatever their size', async () => {
    const whole = (await read({ first: 500 })).history.nodes
    for (const first of [1, 2, 7, 50]) {
      const nodes: unknown[] = []
      for (let after: string | null = null; ; ) {
        const { history } = await read({ first, after })
        nodes.push(...history.nodes)
        if (!history.pageInfo.hasNextPage) break
        after = history.pageInfo.endCursor
      }
      expect(nodes, `pages of ${first}`).toEqual(whole)
    }
  })

  it('ends before `to`, and holds the minute in which `from` is', async () => {
    const { history } = await read({ from: iso(FROM + 90_000), to: iso(FROM + 20 * MINUTE_MS) })
    expect(history.nodes[0]).toEqual({ at: iso(FROM - 20 * MINUTE_MS), status: 'IDLE' })
    expect(history.nodes).toHaveLength(1 + 2 * 19)
    expect(history.nodes[1]).toMatchObject({ at: iso(FROM + MINUTE_MS), key: 'Rpm' })
    expect(history.nodes.at(-1)).toMatchObject({ at: iso(FROM + 19 * MINUTE_MS), key: 'rpm' })
  })

  it('refuses a range of more than 31 days, one that ends before it begins, and what is no page', async () => {
    const refused = [
      { to: iso(FROM + 31 * DAY_MS + 1) },
      { to: iso(FROM) },
      { to: iso(FROM - DAY_MS) },
      { first: 501 },
      { first: -1 },
      { after: 'x' },
    ]
    for (const variables of refused) {
      const { history, errors } = await read(variables)
      expect(history, JSON.stringify(variables)).toBeNull()
      expect(errors[0]).toMatch(/^BAD_USER_INPUT/)
    }
    expect((await read({ to: iso(FROM + 31 * DAY_MS) })).errors).toEqual([])
  })

  it('is for members of the space and the device itself', async () => {
    const variables = { id: deviceId(), from: iso(FROM), to: iso(FROM + DAY_MS) }
    const [first] = factory.devices
    if (first === undefined) throw new Error('no device')
    expect((await fixture.run(asDevice(first), HISTORY, variables)).data.device.stateHistory).toBeTruthy()
    const other = await fixture.createSpace({})
    expect((await fixture.run(other.owner, HISTORY, variables)).data.device).toBeNull()
  })

  it('of a page of devices is one statement, whatever the size of the page', async () => {
    const query = `query Page($spaceId: ID!, $first: Int, $from: DateTime!, $to: DateTime!) {
      space(id: $spaceId) {
        devices(first: $first) { nodes { stateHistory(from: $from, to: $to, first: 3) { nodes { __typename } } } }
      }
    }`
    const counts: number[] = []
    for (const first of [1, 40]) {
      database.statements.length = 0
      const variables = { spaceId: factory.spaceId, first, from: iso(FROM), to: iso(FROM + DAY_MS) }
      const { data, errors } = await fixture.run(factory.owner, query, variables)
      expect(errors).toEqual([])
      expect(data.space.devices.nodes).toHaveLength(first)
      counts.push(database.statements.filter(sql => sql.includes('metric_minute')).length)
    }
    expect(counts).toEqual([1, 1])
  })

  it('walks primary keys: no sort and no full scan', async () => {
    await read({ first: 10 })
    const { history } = await read({ first: 10 })
    await read({ first: 10, after: history.pageInfo.endCursor })
    const statements = database.statements.filter(sql => sql.includes('metric_minute'))
    expect(statements).toHaveLength(3)
    for (const statement of statements) {
      const [plan] = await database.pool.query<RowDataPacket[]>(`EXPLAIN ${statement}`)
      for (const { table, type, key, Extra } of plan) {
        if (!['state_change', 'metric_minute'].includes(table)) continue
        expect({ table, type, key }).toMatchObject({
          type: expect.stringMatching(/^(range|ref)$/),
          key: 'PRIMARY',
        })
        expect(Extra ?? '').not.toMatch(/filesort|temporary/)
      }
    }
  })
})
