import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit, device as deviceTable, line as lineTable } from '../../schema/mysql/device-tables.ts'
import { and, desc, eq } from '../../schema/mysql/drizzle.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { asDevice, asUser, type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let other: TestSpace

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  other = await device.createSpace({ lines: 2, devices: 2 })
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const FIELDS = {
  Line: 'line { id name position version }',
  Process: 'process { id name position version line { id } }',
}

type Verb = 'create' | 'update' | 'delete'

const run = (viewer: Viewer | null, verb: Verb, type: 'Line' | 'Process', input: object) =>
  device.run(
    viewer,
    `mutation ($input: ${verb[0]?.toUpperCase()}${verb.slice(1)}${type}Input!) {
      payload: ${verb}${type}(input: $input) { ${FIELDS[type]} userErrors { code field message } } }`,
    { input },
  )

/** What came of a mutation that has no GraphQL errors: the thing, or `CODE field` of each user error. */
async function change(space: TestSpace, verb: Verb, type: 'Line' | 'Process', input: object) {
  const { data, errors } = await run(space.owner, verb, type, input)
  expect(errors).toEqual([])
  const { userErrors, ...payload } = data.payload
  const thing = payload[type.toLowerCase()]
  const refusals: string[] = userErrors.map(({ code, field }: Record<string, string>) => `${code} ${field}`)
  expect(thing === null).toBe(refusals.length > 0)
  return { thing, refusals }
}

/** Lines by position with their processes, as a reader sees them in the next request; positions are checked. */
async function outline({ spaceId, owner }: TestSpace): Promise<Record<string, string[]>> {
  const { data, errors } = await device.run(
    owner,
    `query ($id: ID!) { space(id: $id) {
      lines { name position processes { name position } } processes { name position line { id } } } }`,
    { id: spaceId },
  )
  expect(errors).toEqual([])
  const { lines, processes } = data.space
  const free = processes.filter((process: { line: null }) => process.line === null)
  for (const list of [lines, free, ...lines.map((line: { processes: object[] }) => line.processes)])
    expect(list.map((one: { position: number }) => one.position)).toEqual([...list.keys()])
  const names = (list: { name: string }[]) => list.map(({ name }) => name)
  return Object.fromEntries([
    ...lines.map((line: { name: string; processes: never }) => [line.name, names(line.processes)]),
    ...(free.length > 0 ? [['', names(free)]] : []),
  ])
}

const lineNames = async (space: TestSpace) => Object.keys(await outline(space)).filter(name => name !== '')
const idOf = (list: { id: string }[], index = 0) => list[index]?.id ?? ''

async function newestAudit(spaceId: string) {
  const [row] = await database.db
    .select()
    .from(audit)
    .where(eq(audit.spaceId, spaceId))
    .orderBy(desc(audit.id))
    .limit(1)
  return row
}

async function makeLines(space: TestSpace, ...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names)
    ids.push((await change(space, 'create', 'Line', { spaceId: space.spaceId, name })).thing.id)
  return ids
}

describe('lines', () => {
  it('are made at the end or in between, and the others make room', async () => {
    const space = await device.createSpace({})
    const { spaceId } = space
    await makeLines(space, 'B', 'C')
    const { thing } = await change(space, 'create', 'Line', { spaceId, name: '  A ', position: 0 })
    expect(thing).toEqual({ id: expect.any(String), name: 'A', position: 0, version: 1 })
    await change(space, 'create', 'Line', { spaceId, name: 'D', position: 99 })
    expect(await lineNames(space)).toEqual(['A', 'B', 'C', 'D'])
    expect(await newestAudit(spaceId)).toMatchObject({
      action: 'line.created',
      targetType: 'line',
      targetName: 'D',
      actorId: space.owner.kind === 'user' ? space.owner.userId : '',
    })
  })

  it('are renamed and moved, on the version that the change is based on', async () => {
    const space = await device.createSpace({})
    const [a] = await makeLines(space, 'A', 'B', 'C')
    const moved = await change(space, 'update', 'Line', { lineId: a, version: 1, position: 2 })
    expect(moved.thing).toMatchObject({ name: 'A', position: 2, version: 2 })
    expect(await lineNames(space)).toEqual(['B', 'C', 'A'])
    // Making room is no change of theirs: only the moved one has another version.
    const renamed = await change(space, 'update', 'Line', { lineId: a, version: 2, name: 'Z', position: 1 })
    expect(renamed.thing).toMatchObject({ name: 'Z', position: 1, version: 3 })
    expect(await lineNames(space)).toEqual(['B', 'Z', 'C'])
    expect(await newestAudit(space.spaceId)).toMatchObject({
      action: 'line.updated',
      targetName: 'A',
      details: { name: { from: 'A', to: 'Z' }, position: { from: 2, to: 1 } },
    })
    const before = await newestAudit(space.spaceId)
    const same = await change(space, 'update', 'Line', { lineId: a, name: 'Z' })
    expect(same.thing.version).toBe(3)
    expect(await newestAudit(space.spaceId)).toEqual(before)
    const late = await change(space, 'update', 'Line', { lineId: a, version: 2, name: 'Y' })
    expect(late.refusals).toEqual(['CONFLICT version'])
    expect((await change(space, 'delete', 'Line', { lineId: a, version: 2 })).refusals).toEqual([
      'CONFLICT version',
    ])
  })

  it('have names of their own, in whatever case', async () => {
    const space = await device.createSpace({})
    const { spaceId } = space
    const [a] = await makeLines(space, 'Press', 'Weld')
    const refused = async (verb: Verb, input: object) => (await change(space, verb, 'Line', input)).refusals
    expect(await refused('create', { spaceId, name: 'pRESS' })).toEqual(['CONFLICT name'])
    expect(await refused('update', { lineId: a, name: 'WELD' })).toEqual(['CONFLICT name'])
    expect(await refused('update', { lineId: a, name: 'PRESS' })).toEqual([])
    expect(await refused('create', { spaceId, name: '\u202e', position: -1 })).toEqual([
      'BAD_USER_INPUT name',
      'BAD_USER_INPUT position',
    ])
    expect(await refused('update', { lineId: a, name: 'x'.repeat(129) })).toEqual(['BAD_USER_INPUT name'])
    expect(await lineNames(space)).toEqual(['PRESS', 'Weld'])
    // The name of a deleted line is free.
    await change(space, 'delete', 'Line', { lineId: a })
    await makeLines(space, 'Press')
  })

  it('that have devices or processes go only when it is said where to those go', async () => {
    const space = await device.createSpace({ lines: 3, devices: 6 })
    const [from, to] = [idOf(space.lines, 0), idOf(space.lines, 1)]
    const refused = async (input: object) =>
      (await change(space, 'delete', 'Line', { lineId: from, ...input })).refusals
    expect(await refused({})).toEqual(['BAD_USER_INPUT moveDevicesToLineId'])
    expect(await refused({ moveDevicesToLineId: from })).toEqual(['BAD_USER_INPUT moveDevicesToLineId'])
    for (const id of [idOf(other.lines), newId(), 'x'])
      expect(await refused({ moveDevicesToLineId: id })).toEqual(['NOT_FOUND moveDevicesToLineId'])
    expect(await refused({ moveDevicesToLineId: to })).toEqual([])
    expect(await outline(space)).toEqual({ 'Line 1': ['Process 1', 'Process 0'], 'Line 2': ['Process 2'] })
    const { data } = await device.run(
      space.owner,
      `query ($id: ID!) { space(id: $id) { devices { nodes { line { name } process { name } version } } } }`,
      { id: space.spaceId },
    )
    expect(data.space.devices.nodes[0]).toEqual({
      line: { name: 'Line 1' },
      process: { name: 'Process 0' },
      version: 2,
    })
    expect(await newestAudit(space.spaceId)).toMatchObject({
      action: 'line.deleted',
      targetName: 'Line 0',
      details: { movedTo: { id: to, name: 'Line 1' }, devices: 2, processes: 1 },
    })
    // What happened on it keeps its name.
    const { data: past } = await device.run(
      space.owner,
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Line { name } } }',
      { r: [{ __typename: 'Line', id: from }] },
    )
    expect(past._entities).toEqual([{ name: 'Line 0' }])
    expect(await refused({ moveDevicesToLineId: to })).toEqual(['NOT_FOUND lineId'])
  })

  it('do not take in a process of a name that they have', async () => {
    const space = await device.createSpace({ lines: 2 })
    const { spaceId } = space
    const [from, to] = [idOf(space.lines, 0), idOf(space.lines, 1)]
    await change(space, 'create', 'Process', { spaceId, lineId: to, name: 'process 0' })
    expect(
      (await change(space, 'delete', 'Line', { lineId: from, moveDevicesToLineId: to })).refusals,
    ).toEqual(['CONFLICT moveDevicesToLineId'])
    expect(Object.keys(await outline(space))).toHaveLength(2)
  })

  it('are 200 at most', async () => {
    const space = await device.createSpace({})
    const { spaceId } = space
    const rows = Array.from({ length: 199 }, (_, position) => ({
      id: newId(),
      spaceId,
      name: `L${position}`,
      position,
    }))
    await database.db.insert(lineTable).values(rows)
    const answers = await Promise.all(
      ['a', 'b', 'c'].map(name => change(space, 'create', 'Line', { spaceId, name })),
    )
    expect(answers.flatMap(({ refusals }) => refusals)).toEqual(['LIMIT_REACHED null', 'LIMIT_REACHED null'])
    expect(await lineNames(space)).toHaveLength(200)
  })

  it('stay in one dense order, whatever is changed at once', async () => {
    const space = await device.createSpace({})
    const { spaceId } = space
    const ids = await makeLines(space, 'A', 'B', 'C', 'D', 'E')
    await Promise.all([
      ...ids.map((lineId, i) => change(space, 'update', 'Line', { lineId, position: 4 - i })),
      change(space, 'create', 'Line', { spaceId, name: 'F', position: 1 }),
      change(space, 'delete', 'Line', { lineId: ids[2] }),
      ...ids.map(lineId => run(space.owner, 'update', 'Line', { lineId, position: 0 })),
    ])
    expect((await lineNames(space)).sort()).toEqual(['A', 'B', 'D', 'E', 'F'])
  })

  it('are changed by one of those who saw the same version', async () => {
    const space = await device.createSpace({})
    const [lineId] = await makeLines(space, 'A')
    const answers = await Promise.all(
      ['x', 'y', 'z'].map(name => change(space, 'update', 'Line', { lineId, version: 1, name })),
    )
    expect(answers.filter(({ refusals }) => refusals.length === 0)).toHaveLength(1)
    expect(answers.flatMap(({ refusals }) => refusals)).toEqual(['CONFLICT version', 'CONFLICT version'])
  })
})

describe('processes', () => {
  it('belong to a line or stand for themselves, each in an order of its own', async () => {
    const space = await device.createSpace({ lines: 2 })
    const { spaceId } = space
    const lineId = idOf(space.lines)
    const create = (input: object) => change(space, 'create', 'Process', { spaceId, ...input })
    expect((await create({ lineId, name: 'First', position: 0 })).thing).toMatchObject({
      position: 0,
      line: { id: lineId },
    })
    expect((await create({ name: 'Alone' })).thing).toMatchObject({ position: 0, line: null })
    // The same name is free elsewhere.
    expect((await create({ name: 'First' })).thing).toMatchObject({ position: 1, line: null })
    expect((await create({ name: 'FIRST' })).refusals).toEqual(['CONFLICT name'])
    expect((await create({ lineId, name: 'first' })).refusals).toEqual(['CONFLICT name'])
    expect(await outline(space)).toMatchObject({ 'Line 0': ['First', 'Process 0'], '': ['Alone', 'First'] })
    for (const id of [idOf(other.lines), newId(), 'x'])
      expect((await create({ lineId: id, name: 'X' })).refusals).toEqual(['NOT_FOUND lineId'])
    expect(await newestAudit(spaceId)).toMatchObject({ action: 'process.created', targetName: 'First' })
  })

  it('take their devices along to another line, and leave them there when they stand for themselves', async () => {
    const space = await device.createSpace({ lines: 2, devices: 4 })
    const { spaceId } = space
    const [from, to] = [idOf(space.lines, 0), idOf(space.lines, 1)]
    const processId = idOf(space.processes)
    const linesOfDevices = async () => {
      const { data } = await device.run(
        space.owner,
        'query ($id: ID!, $filter: DeviceFilter) { space(id: $id) { devices(filter: $filter) { nodes { line { id } } } } }',
        { id: spaceId, filter: { processId } },
      )
      return data.space.devices.nodes.map((node: { line: { id: string } }) => node.line.id)
    }
    expect(await linesOfDevices()).toEqual([from, from])
    const moved = await change(space, 'update', 'Process', { processId, lineId: to, position: 0 })
    expect(moved.thing).toMatchObject({ line: { id: to }, position: 0, version: 2 })
    expect(await linesOfDevices()).toEqual([to, to])
    expect(await outline(space)).toEqual({ 'Line 0': [], 'Line 1': ['Process 0', 'Process 1'] })
    const freed = await change(space, 'update', 'Process', { processId, lineId: null })
    expect(freed.thing).toMatchObject({ line: null, position: 0 })
    expect(await linesOfDevices()).toEqual([to, to])
    expect(await outline(space)).toEqual({ 'Line 0': [], 'Line 1': ['Process 1'], '': ['Process 0'] })
    const refused = async (input: object) =>
      (await change(space, 'update', 'Process', { processId, ...input })).refusals
    expect(await refused({ lineId: idOf(other.lines) })).toEqual(['NOT_FOUND lineId'])
    expect(await refused({ version: 1, name: 'X' })).toEqual(['CONFLICT version'])
    expect(await refused({ name: '' })).toEqual(['BAD_USER_INPUT name'])
    await change(space, 'create', 'Process', { spaceId, lineId: to, name: 'PROCESS 0' })
    expect(await refused({ lineId: to })).toEqual(['CONFLICT name'])
  })

  it('that have devices go only when it is said where to those go', async () => {
    const space = await device.createSpace({ lines: 2, devices: 4 })
    const [processId, toId] = [idOf(space.processes, 0), idOf(space.processes, 1)]
    const refused = async (input: object) =>
      (await change(space, 'delete', 'Process', { processId, ...input })).refusals
    const field = 'moveDevicesToProcessId'
    expect(await refused({})).toEqual([`BAD_USER_INPUT ${field}`])
    expect(await refused({ [field]: processId })).toEqual([`BAD_USER_INPUT ${field}`])
    for (const id of [idOf(other.processes), newId(), 'x'])
      expect(await refused({ [field]: id })).toEqual([`NOT_FOUND ${field}`])
    expect(await refused({ [field]: toId })).toEqual([])
    const rows = await database.db
      .select({ lineId: deviceTable.lineId })
      .from(deviceTable)
      .where(and(eq(deviceTable.spaceId, space.spaceId), eq(deviceTable.processId, toId)))
    // Their line is that of their new process.
    expect(rows).toEqual(Array(4).fill({ lineId: idOf(space.lines, 1) }))
    expect(await refused({})).toEqual(['NOT_FOUND processId'])
    expect((await change(space, 'delete', 'Process', { processId: toId })).refusals).toHaveLength(1)
  })

  it('stay in dense orders, whatever is moved at once', async () => {
    const space = await device.createSpace({ lines: 3 })
    const { spaceId } = space
    const ids: string[] = space.processes.map(({ id }) => id)
    for (const name of ['A', 'B', 'C'])
      ids.push((await change(space, 'create', 'Process', { spaceId, name })).thing.id)
    const moves = ids.flatMap((processId, i) =>
      [0, 1, 2].map(j => ({ processId, lineId: idOf(space.lines, (i + j) % 3), position: j })),
    )
    const answers = await Promise.all(moves.map(input => run(space.owner, 'update', 'Process', input)))
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    expect(Object.values(await outline(space)).flat()).toHaveLength(6)
  })
})

describe('changes of lines and processes', () => {
  const attempts = () => {
    const { spaceId } = other
    const [lineId, processId] = [idOf(other.lines), idOf(other.processes)]
    return [
      ['create', 'Line', { spaceId, name: 'X' }],
      ['update', 'Line', { lineId, name: 'X' }],
      ['delete', 'Line', { lineId, moveDevicesToLineId: idOf(other.lines, 1) }],
      ['create', 'Process', { spaceId, name: 'X' }],
      ['update', 'Process', { processId, name: 'X' }],
      ['delete', 'Process', { processId, moveDevicesToProcessId: idOf(other.processes, 1) }],
    ] as const
  }

  it('are for admins and owners', async () => {
    const before = await outline(other)
    const viewer = await device.addMember(other.spaceId, 'VIEWER')
    const operator = await device.addMember(other.spaceId, 'OPERATOR')
    const deviceItself = asDevice({ id: other.devices[0]?.id ?? '', spaceId: other.spaceId })
    for (const [verb, type, input] of attempts()) {
      for (const member of [viewer, operator, deviceItself])
        expect((await run(member, verb, type, input)).errors).toEqual([expect.stringMatching(/^FORBIDDEN/)])
      expect((await run(null, verb, type, input)).errors).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)])
    }
    expect(await outline(other)).toEqual(before)
    const admin = await device.addMember(other.spaceId, 'ADMIN')
    const input = { lineId: idOf(other.lines), name: 'By an admin' }
    expect((await run(admin, 'update', 'Line', input)).data.payload.userErrors).toEqual([])
  })

  it('tell strangers that there is nothing, whether there is or not', async () => {
    const stranger = asUser(newId())
    for (const [verb, type, input] of attempts()) {
      const answers = [input, { ...input, ...('lineId' in input ? { lineId: newId() } : {}) }]
      for (const attempt of answers) {
        const { data, errors } = await run(stranger, verb, type, attempt)
        const refusals = [...errors, ...(data?.payload?.userErrors ?? [])]
        expect(refusals).toHaveLength(1)
        expect(JSON.stringify(refusals)).toContain('NOT_FOUND')
      }
    }
  })
})
