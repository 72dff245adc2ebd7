import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { device as deviceTable } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import type { DevicePlace } from '../shared/device-directory.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createDeviceDirectory } from './device-directory.ts'
import { insertDevices } from './device-repository.ts'

const [a, b, removed, spaceId, lineId, processId] = Array.from({ length: 6 }, newId) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  const row = { spaceId, name: 'x', createdAt: new Date() }
  await insertDevices(database.db, [
    { ...row, id: a, code: 'a', lineId, processId },
    { ...row, id: b, code: 'b' },
    { ...row, id: removed, code: 'c', removed: true },
  ])
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  database.statements.length = 0
})

const PLACE_OF_A = { spaceId, lineId, processId }
const NO_PLACE = { spaceId, lineId: null, processId: null }

describe('the device directory', () => {
  it('finds many places with one statement, also of removed devices, and again with none', async () => {
    const directory = createDeviceDirectory({ db: database.db })
    const ids = [a, b, removed, newId(), 'x', "' OR 1=1"]
    const places = new Map<string, DevicePlace>([
      [a, PLACE_OF_A],
      [b, NO_PLACE],
      [removed, NO_PLACE],
    ])
    expect(await directory.placesOf(ids)).toEqual(places)
    expect(await directory.placesOf(ids)).toEqual(places)
    expect(await directory.placesOf([])).toEqual(new Map())
    expect(database.statements).toHaveLength(1)
  })

  it('shares a statement between those who ask at once', async () => {
    const directory = createDeviceDirectory({ db: database.db })
    await Promise.all([directory.placesOf([a]), directory.placesOf([a, b]), directory.placesOf([b])])
    expect(database.statements).toHaveLength(1)
  })

  it('learns of a move when it is told to forget', async () => {
    const directory = createDeviceDirectory({ db: database.db })
    const placeOfB = async () => (await directory.placesOf([b])).get(b)
    expect(await placeOfB()).toEqual(NO_PLACE)
    await database.db.update(deviceTable).set({ lineId }).where(eq(deviceTable.id, b))
    expect(await placeOfB()).toEqual(NO_PLACE)
    directory.forget({ kind: 'device', spaceId, ids: [a] })
    directory.forget({ kind: 'device', spaceId: newId() })
    directory.forget({ kind: 'line', spaceId })
    expect(await placeOfB()).toEqual(NO_PLACE)
    directory.forget({ kind: 'device', spaceId, ids: [b] })
    expect(await placeOfB()).toEqual({ ...NO_PLACE, lineId })
  })

  it.each([
    ['all of a space are told of', { kind: 'device', spaceId } as const],
    ['changes may have been missed', { kind: 'unknown' } as const],
  ])('learns of a move when %s', async (_, change) => {
    const directory = createDeviceDirectory({ db: database.db })
    const placeOfA = async () => (await directory.placesOf([a])).get(a)
    const before = await placeOfA()
    const moved = before?.lineId === null ? lineId : null
    await database.db.update(deviceTable).set({ lineId: moved }).where(eq(deviceTable.id, a))
    expect(await placeOfA()).toEqual(before)
    directory.forget(change)
    expect((await placeOfA())?.lineId).toBe(moved)
  })
})
