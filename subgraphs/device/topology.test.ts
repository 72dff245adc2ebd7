import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { device as deviceTable, space as spaceTable } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { deviceStatus } from '../../schema/mysql/ingest-tables.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asDevice, asUser, type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let factory: TestSpace
const stranger = asUser(newId())

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  factory = await device.createSpace({ lines: 2, devices: 7 })
})
beforeEach(() => {
  device.forgetTopology()
  database.statements.length = 0
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

/** Runs an operation that has no errors. */
async function ask(source: string, variables?: Record<string, unknown>, viewer = factory.owner) {
  const { data, errors } = await device.run(viewer, source, variables)
  expect(errors).toEqual([])
  return data
}

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index]
  if (item === undefined) throw new Error(`no item ${index}`)
  return item
}
const codes = (connection: { nodes: { code: string }[] }) => connection.nodes.map(node => node.code)

describe('a space', () => {
  it('shows its lines, processes and devices in order', async () => {
    const { space } = await ask(
      `query ($id: ID!) { space(id: $id) {
        id name timezone viewerRole deviceCounts { total online }
        lines { name processes { name line { name } } devices { nodes { code } } }
        processes { name devices { nodes { code } totalCount } }
        devices(first: 3) { nodes { code line { name } process { name } space { id } } totalCount }
      } }`,
      { id: factory.spaceId },
    )
    const even = ['D-000', 'D-002', 'D-004', 'D-006']
    const odd = ['D-001', 'D-003', 'D-005']
    expect(space).toMatchObject({
      id: factory.spaceId,
      name: 'Factory',
      timezone: 'Asia/Seoul',
      viewerRole: 'OWNER',
      deviceCounts: { total: 7, online: 0 },
      lines: [
        { name: 'Line 0', processes: [{ name: 'Process 0', line: { name: 'Line 0' } }] },
        { name: 'Line 1', processes: [{ name: 'Process 1', line: { name: 'Line 1' } }] },
      ],
    })
    expect(space.lines.map((line: { devices: never }) => codes(line.devices))).toEqual([even, odd])
    expect(space.processes.map((process: { devices: never }) => codes(process.devices))).toEqual([even, odd])
    expect(space.processes[1].devices.totalCount).toBe(3)
    expect(space.devices).toMatchObject({
      totalCount: 7,
      nodes: [
        { code: 'D-000', line: { name: 'Line 0' }, process: { name: 'Process 0' } },
        { code: 'D-001', line: { name: 'Line 1' } },
        { code: 'D-002', space: { id: factory.spaceId } },
      ],
    })
  })

  it('is nothing to a stranger, to nobody, and to a device', async () => {
    const query = 'query ($id: ID!) { space(id: $id) { name } }'
    expect(await ask(query, { id: factory.spaceId }, stranger)).toEqual({ space: null })
    const refused = async (viewer: Parameters<DeviceFixture['run']>[0]) =>
      (await device.run(viewer, query, { id: factory.spaceId })).errors
    expect(await refused(null)).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)])
    expect(await refused(asDevice(at(factory.devices, 0)))).toEqual([expect.stringMatching(/^FORBIDDEN/)])
  })

  it('of a malformed id is nothing, without a statement', async () => {
    for (const id of ['', 'x', "' OR 1=1 -- ", 'é', factory.spaceId.toUpperCase()])
      expect(await ask('query ($id: ID!) { space(id: $id) { name } }', { id })).toEqual({ space: null })
    expect(database.statements).toEqual([])
  })
})

describe('spaces', () => {
  it('are paged by name, then id, without loss or repetition', async () => {
    const { owner, spaceId } = await device.createSpace({ name: 'b' })
    const named = [{ name: 'b', id: spaceId }]
    for (const name of ['a', 'c', 'b', 'b', 'd'])
      named.push({ name, id: (await device.createSpace({ name, owner })).spaceId })
    const expected = named.sort((x, y) =>
      x.name === y.name ? (x.id < y.id ? -1 : 1) : x.name < y.name ? -1 : 1,
    )
    const seen: unknown[] = []
    let after: string | null = null
    do {
      const { spaces }: { spaces: { nodes: []; totalCount: number; pageInfo: never } } = await ask(
        `query ($after: String) { spaces(first: 2, after: $after) {
          nodes { name id } totalCount pageInfo { hasNextPage endCursor } } }`,
        { after },
        owner,
      )
      seen.push(...spaces.nodes)
      expect(spaces.totalCount).toBe(6)
      const { hasNextPage, endCursor } = spaces.pageInfo
      after = hasNextPage ? endCursor : null
    } while (after !== null)
    expect(seen).toEqual(expected)
  })

  it('of a stranger are none', async () => {
    const query = '{ spaces { nodes { id } totalCount pageInfo { hasNextPage startCursor } } }'
    expect(await ask(query, {}, stranger)).toEqual({
      spaces: { nodes: [], totalCount: 0, pageInfo: { hasNextPage: false, startCursor: null } },
    })
  })
})

describe('a list of devices', () => {
  const PAGE = `nodes { code } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor }`

  it.each(['space', 'line', 'process'])('of a %s is walked without loss or repetition', async of => {
    const query = `query ($id: ID!, $first: Int, $after: String) { space(id: $id) {
      devices(first: $first, after: $after) { ${PAGE} }
      lines { devices(first: $first, after: $after) { ${PAGE} } }
      processes { devices(first: $first, after: $after) { ${PAGE} } }
    } }`
    const seen: string[] = []
    let after: string | null = null
    do {
      const { space } = await ask(query, { id: factory.spaceId, first: 2, after })
      const list = { space, line: space.lines[0], process: space.processes[0] }[of]
      seen.push(...codes(list.devices))
      const { hasNextPage, hasPreviousPage, endCursor } = list.devices.pageInfo
      expect(hasPreviousPage).toBe(after !== null)
      after = hasNextPage ? endCursor : null
    } while (after !== null)
    const all = factory.devices.map(({ code }) => code)
    expect(seen).toEqual(of === 'space' ? all : all.filter((_, i) => i % 2 === 0))
  })

  it('can be narrowed by line, process and presence, all at once', async () => {
    const { spaceId, devices, lines, processes, owner } = await device.createSpace({ lines: 2, devices: 8 })
    // Online: 0 to 3. Of the others 4 and 5 have been offline once, 6 and 7 were never seen.
    await database.db
      .insert(deviceStatus)
      .values(devices.slice(0, 6).map(({ id }, i) => ({ deviceId: id, spaceId, online: i < 4 })))
    const list = async (filter: object) => {
      const query = `query ($id: ID!, $filter: DeviceFilter) {
        space(id: $id) { devices(filter: $filter) { nodes { code } totalCount } } }`
      const { devices: page } = (await ask(query, { id: spaceId, filter }, owner)).space
      expect(page.totalCount).toBe(page.nodes.length)
      return codes(page).map(code => Number(code.slice(2)))
    }
    const [lineId, processId] = [at(lines, 0).id, at(processes, 1).id]
    expect(await list({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(await list({ online: true })).toEqual([0, 1, 2, 3])
    expect(await list({ online: false })).toEqual([4, 5, 6, 7])
    expect(await list({ lineId })).toEqual([0, 2, 4, 6])
    expect(await list({ lineId, online: true })).toEqual([0, 2])
    expect(await list({ processId, online: false })).toEqual([5, 7])
    expect(await list({ lineId, processId })).toEqual([])
    expect(await list({ lineId: newId() })).toEqual([])
    // The line of another space.
    expect(await list({ lineId: at(factory.lines, 0).id })).toEqual([])
    const counts = `query ($id: ID!) { space(id: $id) { deviceCounts { total online } } }`
    expect((await ask(counts, { id: spaceId }, owner)).space.deviceCounts).toEqual({ total: 8, online: 4 })
    database.statements.length = 0
    expect(await list({ lineId: 'é' })).toEqual([])
    expect(database.statements.join()).not.toContain('FORCE INDEX')
  })

  it('leaves removed devices out', async () => {
    const { spaceId, devices, owner } = await device.createSpace({ lines: 1, devices: 3 })
    await database.db
      .update(deviceTable)
      .set({ removed: true })
      .where(eq(deviceTable.id, at(devices, 1).id))
    const { space } = await ask(
      `query ($id: ID!) { space(id: $id) {
        deviceCounts { total } devices { nodes { code } totalCount } lines { devices { nodes { code } } } } }`,
      { id: spaceId },
      owner,
    )
    expect([space.deviceCounts.total, space.devices.totalCount]).toEqual([2, 2])
    expect([codes(space.devices), codes(space.lines[0].devices)]).toEqual([
      ['D-000', 'D-002'],
      ['D-000', 'D-002'],
    ])
  })

  it.each([
    ['first: 1001', /^BAD_USER_INPUT first is a number from 0 to (100|1000),/],
    ['first: -1', /^BAD_USER_INPUT/],
    ['after: "nonsense"', /^BAD_USER_INPUT after is not a cursor/],
    ['after: ""', /^BAD_USER_INPUT/],
  ])('refuses %s', async (args, message) => {
    const ofSpace = `{ spaces(first: 1) { nodes { devices(${args}) { nodes { code } } } } }`
    const ofLines = `{ spaces(first: 1) { nodes { lines { devices(${args}) { nodes { code } } } } } }`
    for (const query of [ofSpace, ofLines, `{ spaces(${args}) { nodes { id } } }`]) {
      const { errors } = await device.run(factory.owner, query)
      expect(errors[0]).toMatch(message)
    }
  })

  it('refuses the cursor of another list', async () => {
    const { spaces } = await ask('{ spaces { pageInfo { endCursor } } }')
    const { errors } = await device.run(
      factory.owner,
      'query ($id: ID!, $after: String) { space(id: $id) { devices(after: $after) { nodes { id } } } }',
      { id: factory.spaceId, after: spaces.pageInfo.endCursor },
    )
    expect(errors).toEqual([expect.stringMatching(/^BAD_USER_INPUT/)])
  })
})

describe('a device', () => {
  const BY_ID = 'query ($id: ID!) { device(id: $id) { id code } }'
  const BY_CODE =
    'query ($spaceId: ID!, $code: String!) { deviceByCode(spaceId: $spaceId, code: $code) { id } }'

  it('is found by id and by code', async () => {
    const { id, code } = at(factory.devices, 3)
    expect(await ask(BY_ID, { id })).toEqual({ device: { id, code } })
    const { spaceId } = factory
    expect(await ask(BY_CODE, { spaceId, code })).toEqual({ deviceByCode: { id } })
    expect(await ask(BY_CODE, { spaceId, code: 'none' })).toEqual({ deviceByCode: null })
    expect(await ask(BY_CODE, { spaceId, code: 'x'.repeat(10_000) })).toEqual({ deviceByCode: null })
    expect(await ask(BY_CODE, { spaceId: 'x', code })).toEqual({ deviceByCode: null })
    expect(await ask(BY_ID, { id: 'x' })).toEqual({ device: null })
    expect(await ask(BY_ID, { id: newId() })).toEqual({ device: null })
  })

  it('is nothing to a stranger', async () => {
    const { id, code, spaceId } = at(factory.devices, 3)
    expect(await ask(BY_ID, { id }, stranger)).toEqual({ device: null })
    expect(await ask(BY_CODE, { spaceId, code }, stranger)).toEqual({ deviceByCode: null })
    expect((await device.run(null, BY_ID, { id })).errors).toEqual([
      expect.stringMatching(/^UNAUTHENTICATED/),
    ])
  })

  it('sees itself, its surroundings by name, and no other device', async () => {
    const { id, code, spaceId } = at(factory.devices, 3)
    const itself = asDevice({ id, spaceId })
    const query = 'query ($id: ID!) { device(id: $id) { code space { name } line { name } } }'
    expect(await ask(query, { id }, itself)).toEqual({
      device: { code, space: { name: 'Factory' }, line: { name: 'Line 1' } },
    })
    expect(await ask(BY_CODE, { spaceId, code }, itself)).toEqual({ deviceByCode: { id } })
    const other = at(factory.devices, 4)
    expect(await ask(BY_ID, { id: other.id }, itself)).toEqual({ device: null })
    expect(await ask(BY_CODE, { spaceId, code: other.code }, itself)).toEqual({ deviceByCode: null })
    for (const path of [
      'space { devices { nodes { id } } }',
      'space { lines { id } }',
      'space { processes { id } }',
      'space { deviceCounts { total } }',
      'line { devices { nodes { id } } }',
      'line { processes { id } }',
      'process { devices { nodes { id } } }',
    ]) {
      const { errors } = await device.run(itself, `query ($id: ID!) { device(id: $id) { ${path} } }`, { id })
      expect(errors).toEqual([expect.stringMatching(/^FORBIDDEN/)])
    }
  })
})

describe('entities asked for by other subgraphs', () => {
  const ENTITIES = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on Device { id code } ... on Line { id name } ... on Process { id name } ... on Space { id name }
    ... on User { id email } } }`
  const resolve = async (representations: object[], viewer = factory.owner) =>
    (await ask(ENTITIES, { representations }, viewer))._entities

  const known = () => [
    { __typename: 'Device', id: at(factory.devices, 0).id },
    { __typename: 'Line', id: at(factory.lines, 0).id },
    { __typename: 'Process', id: at(factory.processes, 0).id },
    { __typename: 'Space', id: factory.spaceId },
  ]

  it('are answered to members, a statement a kind', async () => {
    const { userId } = factory.owner as { userId: string }
    await device.access.roleOf(userId, factory.spaceId)
    database.statements.length = 0
    const entities = await resolve([
      ...known(),
      ...factory.devices.map(({ id }) => ({ __typename: 'Device', id })),
      { __typename: 'User', id: userId },
    ])
    expect(entities.slice(0, 4)).toEqual([
      { id: at(factory.devices, 0).id, code: 'D-000' },
      { id: at(factory.lines, 0).id, name: 'Line 0' },
      { id: at(factory.processes, 0).id, name: 'Process 0' },
      { id: factory.spaceId, name: 'Factory' },
    ])
    expect(entities.at(-1)).toMatchObject({ id: userId })
    // Devices, lines, processes, space and user; the role is remembered.
    expect(database.statements).toHaveLength(5)
  })

  it('are nothing to strangers, to other devices, and when malformed', async () => {
    const nothing = [null, null, null, null]
    expect(await resolve(known(), stranger)).toEqual(nothing)
    expect(await resolve(known(), asDevice(at(factory.devices, 1)))).toEqual(nothing)
    expect(await resolve(known(), asDevice(at(factory.devices, 0)))).toEqual([
      { id: at(factory.devices, 0).id, code: 'D-000' },
      null,
      null,
      null,
    ])
    database.statements.length = 0
    const malformed = ['Device', 'Line', 'Process', 'Space', 'User'].map(type => ({
      __typename: type,
      id: 'x',
    }))
    expect(await resolve(malformed)).toEqual([...nothing, null])
    expect(database.statements).toEqual([])
  })

  it('that are refused do not take the others with them', async () => {
    const { data, errors } = await device.run(null, ENTITIES, { representations: known() })
    expect(data._entities).toEqual([null, null, null, null])
    expect(errors).toEqual(Array(4).fill(expect.stringMatching(/^UNAUTHENTICATED/)))
  })

  it('keep the name of a device that has been removed', async () => {
    const { devices, owner } = await device.createSpace({ devices: 1 })
    const { id } = at(devices, 0)
    await database.db.update(deviceTable).set({ removed: true }).where(eq(deviceTable.id, id))
    device.forgetTopology()
    expect(await resolve([{ __typename: 'Device', id }], owner)).toEqual([{ id, code: 'D-000' }])
    expect(await ask('query ($id: ID!) { device(id: $id) { code } }', { id }, owner)).toEqual({
      device: null,
    })
  })

  it('do not tell of other people', async () => {
    const userId = await device.createUser('other@example.com', 'secret')
    expect(await resolve([{ __typename: 'User', id: userId }])).toEqual([null])
  })
})

describe('viewer', () => {
  it('is nobody without a user', async () => {
    expect((await device.run(null, '{ viewer { id } }')).data).toEqual({ viewer: null })
    const itself = asDevice(at(factory.devices, 0))
    expect((await device.run(itself, '{ viewer { id } }')).data).toEqual({ viewer: null })
  })

  it('sees changes of a space once its process has heard of them', async () => {
    const { spaceId, owner } = await device.createSpace({ name: 'before' })
    const name = async () =>
      (await ask('query ($id: ID!) { space(id: $id) { name } }', { id: spaceId }, owner)).space.name
    expect(await name()).toBe('before')
    await database.db.update(spaceTable).set({ name: 'after' }).where(eq(spaceTable.id, spaceId))
    device.forgetTopology()
    expect(await name()).toBe('after')
  })
})
