import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { device as deviceTable, user } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { DEMO_SIGN_IN, deriveDemoCredential, seedDemo } from './demo-data.ts'
import { createDeviceAuthenticator } from './device-authenticator.ts'
import { openDeviceFixture } from './device-fixture.ts'

const deriveCredential = (deviceId: string) => deriveDemoCredential('a secret of the site', deviceId)
const redis = await openTestRedis()
let database: TestDatabase | undefined
beforeEach(async () => {
  const opened = await openTestDatabase()
  database = opened
  return () => opened[Symbol.asyncDispose]()
})
afterAll(() => redis[Symbol.asyncDispose]())

function open() {
  if (database === undefined) throw new Error('no database')
  return database
}

describe('the demo', () => {
  it('is a space of 4 lines, 4 processes and 12 devices that its user can see', async () => {
    const { db, url } = open()
    const devices = await seedDemo({ db, deriveCredential })
    expect(devices).toHaveLength(12)
    await using subgraph = await openDeviceFixture({ db, url }, redis)
    const { data: begun } = await subgraph.run(
      null,
      'mutation ($input: SignInInput!) { signIn(input: $input) { accessToken } }',
      { input: DEMO_SIGN_IN },
    )
    const viewer = await subgraph.verifier.verify(begun.signIn.accessToken)
    const { data, errors } = await subgraph.run(
      viewer,
      '{ spaces { nodes { name timezone viewerRole lines { name processes { name } devices { nodes { code model } } } } } }',
    )
    expect(errors).toEqual([])
    const [space, ...others] = data.spaces.nodes
    expect(others).toEqual([])
    expect(space).toMatchObject({ name: 'Demo factory', timezone: 'Asia/Seoul', viewerRole: 'OWNER' })
    const lines: { processes: []; devices: { nodes: { code: string; model: string }[] } }[] = space.lines
    expect(lines.map(line => [line.processes.length, line.devices.nodes.length])).toEqual(
      Array(4).fill([1, 3]),
    )
    const shown = lines.flatMap(line => line.devices.nodes)
    expect(shown.map(({ code }) => code).sort()).toEqual(devices.map(({ code }) => code))
  })

  it('has credentials that work, the same at each start', async () => {
    const { db } = open()
    const devices = await seedDemo({ db, deriveCredential })
    expect(await seedDemo({ db, deriveCredential })).toEqual(devices)
    const authenticator = createDeviceAuthenticator({ db, verifier: { verify: () => Promise.reject() } })
    for (const { deviceId, credential } of devices)
      expect(await authenticator.byCredential(deviceId, credential)).toMatchObject({ deviceId })
  })

  it('is made once by several that start at once', async () => {
    const { db } = open()
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () => seedDemo({ db, deriveCredential })),
    )
    expect(others).toEqual([first, first, first])
    expect(await db.$count(deviceTable)).toBe(12)
  })

  it('leaves out devices that were removed or have another credential', async () => {
    const { db } = open()
    const [first] = await seedDemo({ db, deriveCredential })
    await db
      .update(deviceTable)
      .set({ removed: true })
      .where(eq(deviceTable.id, first?.deviceId ?? ''))
    expect(await seedDemo({ db, deriveCredential })).toHaveLength(11)
    expect(await seedDemo({ db, deriveCredential: id => deriveDemoCredential('another', id) })).toEqual([])
  })

  it('stays out of a database that is in use', async () => {
    const { db } = open()
    await db
      .insert(user)
      .values({ id: newId(), email: 'x@example.com', name: 'x', passwordHash: 'x', createdAt: new Date() })
    expect(await seedDemo({ db, deriveCredential })).toEqual([])
    expect(await db.$count(user)).toBe(1)
  })
})
