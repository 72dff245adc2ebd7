import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { device, line, process } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import type { TopologyChange } from '../shared/topology/topology-watch.ts'
import { newId } from '../shared/uuid-v7.ts'
import type { DeviceListRequest } from './device-list.ts'
import { insertDevices } from './device-repository.ts'
import { createTopologyCache, type TopologyCache } from './topology-cache.ts'

let database: TestDatabase
const [spaceId, otherSpaceId, lineId, processId, deviceId, otherDeviceId] = Array.from(
  { length: 6 },
  newId,
) as [string, string, string, string, string, string]

beforeAll(async () => {
  database = await openTestDatabase()
  await database.db.insert(line).values({ id: lineId, spaceId, name: 'before', position: 0 })
  await database.db.insert(process).values({ id: processId, spaceId, lineId, name: 'before', position: 0 })
  const row = { name: 'before', createdAt: new Date() }
  await insertDevices(database.db, [
    { ...row, id: deviceId, spaceId, lineId, code: 'a' },
    { ...row, id: otherDeviceId, spaceId: otherSpaceId, code: 'a' },
  ])
})
afterAll(() => database[Symbol.asyncDispose]())

async function renameAll(name: string) {
  for (const table of [line, process, device]) await database.db.update(table).set({ name })
  database.statements.length = 0
}

function pageOf(of: 'space' | 'line', spaceOfList = spaceId): DeviceListRequest {
  const id = of === 'line' ? lineId : spaceOfList
  const anything = {
    lineId: null,
    processId: null,
    online: null,
    broadcasting: null,
    status: null,
    search: null,
  }
  const list = { ...anything, of, id, spaceId: spaceOfList }
  return { list, order: 'CODE', isDescending: false, after: null, limit: 10 }
}

/** The names that everything has. */
async function readNames(topology: TopologyCache) {
  const theLine = await topology.lines.get(lineId)
  if (theLine === null) throw new Error('no line')
  const [lineOfSpace] = await topology.linesOfSpace(spaceId)
  const [processOfSpace] = await topology.processesOfSpace(spaceId)
  const [processOfLine] = await topology.processesOfLine(theLine)
  const [deviceOfSpace] = await topology.pageOf(pageOf('space'))
  const [deviceOfLine] = await topology.pageOf(pageOf('line'))
  const [deviceOfOther] = await topology.pageOf(pageOf('space', otherSpaceId))
  return {
    lines: [theLine.name, lineOfSpace?.name],
    processes: [(await topology.processes.get(processId))?.name, processOfSpace?.name, processOfLine?.name],
    devices: [(await topology.devices.get(deviceId))?.name, deviceOfSpace?.name, deviceOfLine?.name],
    other: [(await topology.devices.get(otherDeviceId))?.name, deviceOfOther?.name],
  }
}

const ALL = (name: string) => ({
  lines: [name, name],
  processes: [name, name, name],
  devices: [name, name, name],
  other: [name, name],
})

describe('the topology cache', () => {
  beforeEach(() => renameAll('before'))

  it('reads everything once', async () => {
    const topology = createTopologyCache({ db: database.db })
    expect(await readNames(topology)).toEqual(ALL('before'))
    await renameAll('after')
    expect(await readNames(topology)).toEqual(ALL('before'))
    expect(database.statements).toEqual([])
  })

  it.each<[string, TopologyChange, Partial<ReturnType<typeof ALL>>]>([
    ['a line', { kind: 'line', spaceId, ids: [lineId] }, { lines: ['after', 'after'] }],
    ['the lines of a space', { kind: 'line', spaceId }, { lines: ['after', 'after'] }],
    ['a process', { kind: 'process', spaceId, ids: [processId] }, { processes: Array(3).fill('after') }],
    ['the processes of a space', { kind: 'process', spaceId }, { processes: Array(3).fill('after') }],
    ['a device', { kind: 'device', spaceId, ids: [deviceId] }, { devices: Array(3).fill('after') }],
    ['the devices of a space', { kind: 'device', spaceId }, { devices: Array(3).fill('after') }],
    ['what it may have missed', { kind: 'unknown' }, ALL('after')],
    ['a space', { kind: 'space', spaceId }, {}],
  ])('reads %s anew when it has changed, and nothing else', async (_, change, expected) => {
    const topology = createTopologyCache({ db: database.db })
    await readNames(topology)
    await renameAll('after')
    topology.forget(change)
    expect(await readNames(topology)).toEqual({ ...ALL('before'), ...expected })
  })

  it('does not keep what was read before a change and comes after it', async () => {
    const topology = createTopologyCache({ db: database.db })
    const connection = await database.pool.getConnection()
    try {
      // The row is read as it was, until the other connection commits.
      await connection.beginTransaction()
      await connection.query('UPDATE device SET name = ? WHERE id = ?', ['after', deviceId])
      const early = topology.devices.get(deviceId)
      const page = topology.pageOf(pageOf('space'))
      await connection.commit()
      topology.forget({ kind: 'device', spaceId, ids: [deviceId] })
      expect((await early)?.name).toBe('after')
      expect((await page)[0]?.name).toBe('after')
    } finally {
      connection.release()
    }
    expect((await topology.devices.get(deviceId))?.name).toBe('after')
  })

  it('holds no more rows than it may', async () => {
    const topology = createTopologyCache({ db: database.db, limits: { maxDevices: 1, maxRowsOfPages: 3 } })
    const ask = async (id: string) => topology.devices.get(id)
    await ask(deviceId)
    await ask(otherDeviceId)
    await ask(deviceId)
    await topology.pageOf(pageOf('space'))
    await topology.pageOf(pageOf('line'))
    await topology.pageOf(pageOf('space'))
    // A page of one row counts for two.
    expect(database.statements).toHaveLength(6)
  })

  it('finds a device that has been removed by its id, and in no list', async () => {
    const topology = createTopologyCache({ db: database.db })
    await database.db.update(device).set({ removed: true }).where(eq(device.id, otherDeviceId))
    expect((await topology.devices.get(otherDeviceId))?.removed).toBe(true)
    expect(await topology.pageOf(pageOf('space', otherSpaceId))).toEqual([])
    expect(await topology.spaces.get(newId())).toBeNull()
    expect(await topology.totalOf(pageOf('space').list)).toBe(1)
  })
})
