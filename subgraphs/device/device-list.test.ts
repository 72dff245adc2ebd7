import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { device as deviceTable } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'
import { insertDevices } from './device-repository.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let space: TestSpace

/** Code, name, model; in the order of registration. */
const DEVICES = [
  ['C-3', 'Press', 'Siemens S7'],
  ['A-1', 'Weld robot', null],
  ['B-2', 'Größe 100%', 'a_b'],
  ['E-5', 'Press', 'KUKA KR'],
  ['D-4', '용접 로봇', 'Back\\slash'],
] as const

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  space = await device.createSpace({ lines: 1 })
  const { spaceId } = space
  const createdAt = new Date()
  const rows = DEVICES.map(([code, name, model]) => ({ id: newId(), spaceId, code, name, model, createdAt }))
  const gone = { ...rows[0], id: newId(), spaceId, code: 'X-9', name: 'Press', removed: true, createdAt }
  await insertDevices(database.db, [...rows, gone])
  // A-1 and D-4 have been seen, D-4 last; B-2 has a status and was never seen; C-3 and E-5 have none.
  const statusOf = (i: number, part: object) => ({ deviceId: rows[i]?.id ?? '', spaceId, ...part })
  await database.db
    .insert(deviceStatus)
    .values([
      statusOf(1, { online: true, status: 'ERROR', lastSeenAt: 1_000 }),
      statusOf(4, { online: false, status: 'RUNNING', lastSeenAt: 2_000, broadcasting: true }),
      statusOf(2, { online: false }),
      { deviceId: gone.id, spaceId, online: true, status: 'ERROR', lastSeenAt: 3_000, broadcasting: true },
    ])
})
beforeEach(() => device.forgetTopology())
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const LIST = `query ($id: ID!, $filter: DeviceFilter, $orderBy: DeviceOrder, $first: Int, $after: String,
  $last: Int, $before: String) { space(id: $id) {
  devices(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { code } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`

async function list(args: object) {
  const { data, errors } = await device.run(space.owner, LIST, { id: space.spaceId, ...args })
  expect(errors).toEqual([])
  const { nodes, ...page } = data.space.devices
  return { ...page, codes: nodes.map(({ code }: { code: string }) => code[0]).join('') }
}

describe('the devices of a space', () => {
  const ORDERS = [
    ['CODE', 'ABCDE'],
    ['NAME', 'BCEAD'],
    ['CREATED_AT', 'CABED'],
    ['LAST_SEEN_AT', 'CBEAD'],
  ] as const

  it.each(ORDERS)('are in the order of %s, from both ends, page by page', async (order, expected) => {
    const backwards = [...expected].reverse().join('')
    expect((await list({ orderBy: order })).codes).toBe(expected)
    expect((await list({ orderBy: `${order}_DESC` })).codes).toBe(backwards)
    for (const [orderBy, all] of [
      [order, expected],
      [`${order}_DESC`, backwards],
    ]) {
      let seen = ''
      let after: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ orderBy, first: 2, after })
        expect(page.totalCount).toBe(5)
        seen += page.codes
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
      } while (after !== null)
      expect(seen).toBe(all)

      seen = ''
      let before: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ orderBy, last: 2, before })
        seen = page.codes + seen
        before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null
      } while (before !== null)
      expect(seen).toBe(all)
    }
  })

  it('refuse the cursor of another order, and a page of more than 1,000', async () => {
    const { pageInfo } = await list({ orderBy: 'NAME', first: 1 })
    for (const args of [{ orderBy: 'CREATED_AT', after: pageInfo.endCursor }, { first: 1_001 }]) {
      const { errors } = await device.run(space.owner, LIST, { id: space.spaceId, ...args })
      expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT/)])
    }
  })

  it.each([
    [{ online: true }, 'A'],
    [{ online: false }, 'BCDE'],
    [{ broadcasting: true }, 'D'],
    [{ broadcasting: false }, 'ABCE'],
    [{ status: 'ERROR' }, 'A'],
    [{ status: 'IDLE' }, ''],
    [{ status: 'RUNNING', online: false, broadcasting: true }, 'D'],
    [{ status: 'RUNNING', online: true }, ''],
    [{ search: 'press' }, 'CE'],
    [{ search: 'PRESS', online: false }, 'CE'],
    [{ search: ' a-1 ' }, 'A'],
    [{ search: 'GRÖSSE' }, ''],
    [{ search: 'gro\u0308\u00dfe' }, 'B'],
    [{ search: '용접' }, 'D'],
    [{ search: 'kuka \u3000 kr' }, 'E'],
    [{ search: '%' }, 'B'],
    [{ search: 'a_b' }, 'B'],
    [{ search: 'axb' }, ''],
    [{ search: '\\' }, 'D'],
    [{ search: "' OR 1=1 -- " }, ''],
    // From the end of a code on into the name.
    [{ search: '1weld' }, ''],
    [{ search: ' ' }, 'ABCDE'],
  ])('can be narrowed to %j, in every order', async (filter, expected) => {
    for (const [order] of ORDERS) {
      const { codes, totalCount } = await list({ filter, orderBy: order })
      expect([...codes].sort().join(''), order).toBe(expected)
      expect(totalCount).toBe(expected.length)
    }
  })

  it('take no search of more than 128 characters', async () => {
    const ask = (search: string) => device.run(space.owner, LIST, { id: space.spaceId, filter: { search } })
    expect((await ask('🏭'.repeat(128))).errors).toEqual([])
    expect((await ask('🏭'.repeat(129))).errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT search/)])
  })

  it('are counted for many spaces in one statement, without those that were removed', async () => {
    for (let i = 0; i < 3; i++) await device.createSpace({ devices: i, owner: space.owner })
    database.statements.length = 0
    const { data, errors } = await device.run(
      space.owner,
      '{ spaces { nodes { deviceCounts { total online broadcasting } } } }',
    )
    expect(errors).toEqual([])
    expect(data.spaces.nodes.map((node: { deviceCounts: object }) => node.deviceCounts)).toEqual([
      { total: 5, online: 1, broadcasting: 1 },
      { total: 0, online: 0, broadcasting: 0 },
      { total: 1, online: 0, broadcasting: 0 },
      { total: 2, online: 0, broadcasting: 0 },
    ])
    expect(database.statements).toHaveLength(2)
  })

  it('say whether they broadcast', async () => {
    const { data } = await device.run(
      space.owner,
      'query ($id: ID!) { space(id: $id) { devices { nodes { broadcasting } } } }',
      { id: space.spaceId },
    )
    const flags = data.space.devices.nodes.map((node: { broadcasting: boolean }) => node.broadcasting)
    expect(flags).toEqual([false, false, false, true, false])
  })
})

describe('a page of 1,000 devices', () => {
  it('costs as many statements and round trips as a page of one', async () => {
    const { spaceId, devices, lines, processes, owner } = await device.createSpace({
      lines: 20,
      devices: 1_000,
    })
    await database.db
      .insert(deviceStatus)
      .values(devices.map(({ id }) => ({ deviceId: id, spaceId, online: true, status: 'RUNNING' as const })))
    const states = devices.map(({ id }) => [redisKeys.deviceState(id), '5|{"status":"IDLE"}'])
    await redis.live.mset(...states.flat())
    const costOf = async (first: number) => {
      device.forgetTopology()
      if (owner.kind === 'user') await device.access.roleOf(owner.userId, spaceId)
      database.statements.length = 0
      redis.roundTrips.live.length = 0
      const { data, errors } = await device.run(
        owner,
        `query ($id: ID!, $first: Int) { space(id: $id) { deviceCounts { online } devices(first: $first) { totalCount
          nodes { code name online broadcasting state { status } connectivity { network } space { name }
            line { name } process { name line { name } } } } } }`,
        { id: spaceId, first },
      )
      expect(errors).toEqual([])
      const { nodes } = data.space.devices
      expect(nodes).toHaveLength(first)
      for (const node of nodes) expect(node).toMatchObject({ online: true, state: { status: 'IDLE' } })
      return [database.statements.length, redis.roundTrips.live.length]
    }
    expect([lines.length, processes.length]).toEqual([20, 20])
    const [one, all] = [await costOf(1), await costOf(1_000)]
    expect(all).toEqual(one)
    // Space; counts; page and its length; line and process; what is kept of the devices.
    expect(one).toEqual([7, 1])
  })
})

it('leaves a removed device out of every list at once', async () => {
  const { spaceId, devices, owner } = await device.createSpace({ lines: 1, devices: 2 })
  const ask = async () => {
    const { data } = await device.run(
      owner,
      `query ($id: ID!) { space(id: $id) { devices { totalCount nodes { code } }
        lines { devices { nodes { code } } } processes { devices { nodes { code } } } } }`,
      { id: spaceId },
    )
    const { devices: all, lines, processes } = data.space
    return [all, lines[0].devices, processes[0].devices].map(page => page.nodes.length)
  }
  expect(await ask()).toEqual([2, 2, 2])
  await device.run(
    owner,
    'mutation ($id: ID!) { removeDevice(input: { deviceId: $id }) { device { id } } }',
    {
      id: devices[0]?.id,
    },
  )
  expect(await ask()).toEqual([1, 1, 1])
  const [row] = await database.db
    .select()
    .from(deviceTable)
    .where(eq(deviceTable.id, devices[0]?.id ?? ''))
  expect(row).toMatchObject({ removed: true, code: 'D-000', liveCode: null, searchText: null })
})
