import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { serializePresenceValue } from '../shared/presence-value.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'
import type { DeviceList, DeviceListRequest } from './device-list.ts'
import { countDevices, countDevicesOfSpaces, listDevices } from './device-list-repository.ts'
import { listLinesOfSpaces, listProcessesOfSpaces, listSpacesOfUser } from './space-repository.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let big: TestSpace

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  big = await device.createSpace({ lines: 20, devices: 900 })
  await reportAll(big)
  // Neighbours, so that a scan would be the wrong plan.
  for (let i = 0; i < 20; i++) await device.createSpace({ lines: 5, devices: 50 })
  await database.pool.query('ANALYZE TABLE device, device_status, line, process, space, membership')
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

async function reportAll({ devices, spaceId }: TestSpace): Promise<void> {
  const at = Date.now()
  const pipeline = redis.live.pipeline()
  for (const { id } of devices) {
    const presence = { generation: 1, online: true, lastSeenAt: at, doorId: 'door', spaceId }
    pipeline.set(redisKeys.devicePresence(id), serializePresenceValue(presence))
    pipeline.set(redisKeys.deviceState(id), `${at}|{"status":"RUNNING","metrics":null}`)
    pipeline.set(redisKeys.deviceConnectivity(id), `${at}|{"network":"WIFI","signal":-50,"latencyMs":1}`)
  }
  await pipeline.exec()
  await database.db
    .insert(deviceStatus)
    .values(devices.map(({ id }) => ({ deviceId: id, spaceId, online: true })))
}

/** What the dashboard asks first, with all that this subgraph can add to it. */
const DASHBOARD = `query ($first: Int) { spaces { totalCount nodes { name viewerRole deviceCounts { total online }
  devices(first: $first, filter: { online: true }) { totalCount nodes { code } }
  lines { name processes { name } devices(first: $first) { totalCount nodes {
    code online lastSeenAt state { status } connectivity { network }
    space { name } line { name } process { name line { name } }
  } } } } } }`

async function costOf(space: TestSpace, first: number, isWarm = false) {
  const { owner, spaceId } = space
  if (!isWarm) device.forgetTopology()
  if (owner.kind === 'user') await device.access.roleOf(owner.userId, spaceId)
  database.statements.length = 0
  redis.roundTrips.live.length = 0
  const { data, errors } = await device.run(owner, DASHBOARD, { first })
  expect(errors).toEqual([])
  const nodes = data.spaces.nodes[0].lines.flatMap((line: { devices: { nodes: [] } }) => line.devices.nodes)
  return { nodes, statements: [...database.statements], roundTrips: [...redis.roundTrips.live] }
}

describe('the cost of a dashboard', () => {
  it('does not grow with lines, devices or page size', async () => {
    const small = await device.createSpace({ lines: 1, devices: 1 })
    await reportAll(small)
    const least = await costOf(small, 1)
    expect(least.nodes).toHaveLength(1)
    const some = await costOf(big, 5)
    expect(some.nodes).toHaveLength(100)
    const most = await costOf(big, 100)
    expect(most.nodes).toHaveLength(900)
    expect(most.nodes.every((node: { online: boolean; state: object }) => node.online && node.state)).toBe(
      true,
    )

    const counts = [least, some, most].map(({ statements }) => statements.length)
    expect(counts).toEqual([counts[0], counts[0], counts[0]])
    // Spaces and their number; lines; counts; two pages and their numbers; processes of lines; space, line,
    // process by id.
    expect(counts[0]).toBeLessThanOrEqual(12)
    for (const { roundTrips } of [least, some, most]) expect(roundTrips).toEqual([['mget']])
  })

  it('is that of what is not topology when the topology is warm', async () => {
    const cold = await costOf(big, 100)
    const warm = await costOf(big, 100, true)
    expect(warm.nodes).toEqual(cold.nodes)
    const kinds = warm.statements.map(sql => /from\s+`?(\w+)/i.exec(sql)?.[1])
    // The user's spaces and their number; devices online, their number, and how many there are in all.
    expect(kinds.sort()).toEqual(['device', 'device', 'device', 'membership', 'membership'])
    expect(warm.roundTrips).toEqual([['mget']])
  })

  it('does not grow either when Redis has forgotten everything', async () => {
    const warm = await costOf(big, 100)
    await redis.live.flushdb()
    const [some, most] = [await costOf(big, 5), await costOf(big, 100)]
    expect(most.nodes.every((node: { online: boolean }) => node.online)).toBe(true)
    expect(some.statements.length).toBe(most.statements.length)
    expect(most.statements.length).toBe(warm.statements.length + 1)
    expect(most.roundTrips).toEqual([['mget']])
  })

  it('of an event of a subscription is nothing when the topology is warm', async () => {
    const { spaceId, owner, devices, lines, processes } = big
    const representations = [
      { __typename: 'Device', id: devices[0]?.id },
      { __typename: 'Line', id: lines[0]?.id },
      { __typename: 'Process', id: processes[0]?.id },
    ]
    const ask = async () => {
      database.statements.length = 0
      redis.roundTrips.live.length = 0
      const { data, errors } = await device.run(
        owner,
        `query ($representations: [_Any!]!) { _entities(representations: $representations) {
          ... on Device { code name space { name } line { name } process { name line { name } } }
          ... on Line { name } ... on Process { name line { name } } } }`,
        { representations },
        { grant: { spaceId, role: 'OWNER' } },
      )
      expect(errors).toEqual([])
      return data._entities
    }
    const cold = await ask()
    expect(await ask()).toEqual(cold)
    expect(cold[0]).toMatchObject({ code: 'D-000', line: { name: 'Line 0' }, space: { name: 'Factory' } })
    expect([database.statements, redis.roundTrips.live]).toEqual([[], []])
  })

  it('asks for no count, no reading and no row that is not selected', async () => {
    device.forgetTopology()
    database.statements.length = 0
    redis.roundTrips.live.length = 0
    await device.run(big.owner, '{ spaces { nodes { lines { devices { nodes { code } } } } } }')
    expect(database.statements).toHaveLength(3)
    expect(redis.roundTrips.live).toEqual([])
  })
})

describe('the plan of', () => {
  interface PlanRow {
    table: string | null
    type: string | null
    key: string | null
    Extra: string | null
  }

  /** Explains the statement that `run` sends. */
  async function explain(run: () => Promise<unknown>): Promise<PlanRow[]> {
    const seen: { sql: string; params: unknown[] }[] = []
    const { pool } = database
    const query = pool.query.bind(pool)
    pool.query = ((options: { sql: string }, params: unknown[]) => {
      seen.push({ sql: options.sql, params })
      return query(options as never, params)
    }) as never
    try {
      await run()
    } finally {
      pool.query = query
    }
    expect(seen).toHaveLength(1)
    const [plan] = await query(`EXPLAIN ${seen[0]?.sql}`, seen[0]?.params)
    return plan as unknown as PlanRow[]
  }

  /** Neither a table read whole nor rows sorted; `<union>` and `<derived>` are a statement's own results. */
  function expectIndexed(plan: PlanRow[]): void {
    const tables = plan.filter(row => row.table !== null && !row.table.startsWith('<'))
    expect(tables.length).toBeGreaterThan(0)
    for (const row of tables) {
      expect(row.type).toMatch(/^(const|eq_ref|ref|range)$/)
      expect(row.Extra ?? '').not.toMatch(/filesort|temporary/)
    }
  }

  const db = () => database.db
  const list = (part: Partial<DeviceList>): DeviceList => ({
    of: 'space',
    id: big.spaceId,
    spaceId: big.spaceId,
    lineId: null,
    processId: null,
    online: null,
    broadcasting: null,
    status: null,
    search: null,
    ...part,
  })
  const walk = (piece: DeviceList, part: Partial<DeviceListRequest> = {}): DeviceListRequest => ({
    list: piece,
    order: 'CODE',
    isDescending: false,
    after: null,
    limit: 21,
    ...part,
  })
  const lineList = (index: number, part: Partial<DeviceList> = {}) =>
    list({ of: 'line', id: big.lines[index]?.id ?? '', ...part })

  it('pages of devices walks an index, whatever narrows them', async () => {
    const lineId = big.lines[0]?.id ?? null
    const processId = big.processes[0]?.id ?? null
    for (const piece of [
      list({}),
      list({ online: true }),
      list({ online: false }),
      list({ broadcasting: false, status: 'RUNNING' }),
      list({ search: 'device' }),
      list({ lineId }),
      list({ processId, online: true }),
      lineList(0),
      list({ of: 'process', id: processId ?? '' }),
    ]) {
      for (const after of [null, ['D-100']])
        for (const isDescending of [false, true])
          expectIndexed(await explain(() => listDevices(db(), [walk(piece, { after, isDescending })])))
      expectIndexed(await explain(() => countDevices(db(), [piece])))
    }
  })

  it('pages of the devices of a space walks an index in every order', async () => {
    const [id, seenAt] = [big.devices[450]?.id ?? '', Date.now()]
    const keys = { NAME: ['Device 450', id], CREATED_AT: [id], LAST_SEEN_AT: [seenAt, id] } as const
    for (const order of ['NAME', 'CREATED_AT', 'LAST_SEEN_AT'] as const) {
      for (const piece of [list({}), list({ online: true }), list({ status: 'ERROR', online: false })]) {
        for (const after of [null, keys[order]])
          for (const isDescending of [false, true])
            expectIndexed(
              await explain(() => listDevices(db(), [walk(piece, { order, after, isDescending })])),
            )
      }
    }
  })

  it('pages of all lines walks an index for each', async () => {
    const requests = big.lines.map((_, i) => walk(lineList(i), { after: ['D-100'] }))
    const plan = await explain(() => listDevices(db(), requests))
    expectIndexed(plan)
    expect(plan.filter(row => row.key === 'device_line')).toHaveLength(20)
  })

  it('counts of spaces reads indexes', async () => {
    expectIndexed(await explain(() => countDevicesOfSpaces(db(), [big.spaceId])))
  })

  it('lines and processes walks an index in their order', async () => {
    const spaceIds = [big.spaceId]
    expectIndexed(await explain(() => listLinesOfSpaces(db(), spaceIds)))
    expectIndexed(await explain(() => listProcessesOfSpaces(db(), spaceIds)))
  })

  it('spaces begins at the memberships of the user', async () => {
    const userId = big.owner.kind === 'user' ? big.owner.userId : ''
    for (const after of [null, { name: 'F', id: big.spaceId }]) {
      const plan = await explain(() => listSpacesOfUser(db(), { userId, after, limit: 21 }))
      expect(plan.map(row => [row.table, row.type])).toEqual([
        ['membership', 'ref'],
        ['space', 'eq_ref'],
      ])
    }
  })
})
