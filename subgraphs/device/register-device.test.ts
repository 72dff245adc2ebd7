import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceCredential, device as deviceTable } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import type { Viewer } from '../shared/auth/viewer.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis, type TestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createDeviceAuthenticator } from './device-authenticator.ts'
import { asDevice, asUser, type DeviceFixture, openDeviceFixture, type TestSpace } from './device-fixture.ts'

let database: TestDatabase
let redis: TestRedis
let device: DeviceFixture
let factory: TestSpace
let other: TestSpace

beforeAll(async () => {
  database = await openTestDatabase()
  redis = await openTestRedis()
  device = await openDeviceFixture(database, redis)
  factory = await device.createSpace({ lines: 2 })
  other = await device.createSpace({ lines: 1 })
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const REGISTER = `mutation ($input: RegisterDeviceInput!) { registerDevice(input: $input) {
  device { id code name model online state { status } line { id } process { id } space { id } }
  credential userErrors { code field message } } }`

const run = (input: object, viewer: Viewer | null = factory.owner) =>
  device.run(viewer, REGISTER, {
    input: { spaceId: factory.spaceId, code: newId(), name: 'Press', ...input },
  })

async function register(input: object, viewer?: Viewer) {
  const { data, errors } = await run(input, viewer)
  expect(errors).toEqual([])
  return data.registerDevice
}

async function expectRefused(input: object, ...userErrors: { code: string; field: string }[]) {
  const before = await database.db.$count(deviceTable)
  expect(await register(input)).toEqual({
    device: null,
    credential: null,
    userErrors: userErrors.map(error => ({ ...error, message: expect.any(String) })),
  })
  expect(await database.db.$count(deviceTable)).toBe(before)
}

const idOf = (list: { id: string }[], index = 0) => list[index]?.id ?? ''

describe('registerDevice', () => {
  it('registers a device and shows a credential that works, of which only the digest is kept', async () => {
    const [lineId, processId] = [idOf(factory.lines), idOf(factory.processes)]
    const { device: made, credential } = await register({
      code: '  P-1 ',
      name: ' Große Presse ',
      model: ' X ',
      lineId,
      processId,
    })
    expect(made).toEqual({
      id: expect.any(String),
      code: 'P-1',
      name: 'Große Presse',
      model: 'X',
      online: false,
      state: null,
      line: { id: lineId },
      process: { id: processId },
      space: { id: factory.spaceId },
    })
    expect(credential).toMatch(/^[\w-]{43}$/)
    const authenticator = createDeviceAuthenticator({ db: database.db, verifier: device.verifier })
    expect(await authenticator.byCredential(made.id, credential)).toMatchObject({
      deviceId: made.id,
      spaceId: factory.spaceId,
      expiresAt: null,
    })
    const [row] = await database.db
      .select()
      .from(deviceCredential)
      .where(eq(deviceCredential.deviceId, made.id))
    expect(row?.digest).toHaveLength(32)
    expect(row?.digest.toString('base64url')).not.toBe(credential)
  })

  it('stands a device on the line of its process when no line is given', async () => {
    const { device: made } = await register({ processId: idOf(factory.processes, 1), model: '  ' })
    expect(made).toMatchObject({ line: { id: idOf(factory.lines, 1) }, model: null })
  })

  it('refuses a code that the space has, and takes it in another space', async () => {
    const CONFLICT = { code: 'CONFLICT', field: 'code' }
    await register({ code: 'taken' })
    await expectRefused({ code: ' taken ' }, CONFLICT)
    const elsewhere = await register({ code: 'taken', spaceId: other.spaceId }, other.owner)
    expect(elsewhere.device.code).toBe('taken')
    // The same letters, composed or not.
    await register({ code: 'caf\u00e9' })
    await expectRefused({ code: 'cafe\u0301' }, CONFLICT)
  })

  it('lets one of many at once have a code', async () => {
    const code = newId()
    const answers = await Promise.all(Array.from({ length: 5 }, () => register({ code })))
    expect(answers.filter(answer => answer.device !== null)).toHaveLength(1)
    const refused = answers.filter(answer => answer.device === null)
    expect(refused.every(answer => answer.userErrors[0].code === 'CONFLICT')).toBe(true)
  })

  it('names every field at fault', async () => {
    const BAD = (field: string) => ({ code: 'BAD_USER_INPUT', field })
    await expectRefused(
      { code: ' ', name: '', model: 'x'.repeat(129) },
      BAD('code'),
      BAD('name'),
      BAD('model'),
    )
    await expectRefused({ code: 'x'.repeat(65) }, BAD('code'))
    for (const text of ['a\u0000b', 'a\nb', 'a\u009fb', 'a\u2028b', 'a\ud800b']) {
      await expectRefused({ code: text }, BAD('code'))
      await expectRefused({ name: text }, BAD('name'))
    }
    // 64 characters are 64 characters, however many units they take.
    expect((await register({ code: '🏭'.repeat(64) })).userErrors).toEqual([])
  })

  it('finds only lines and processes of the space', async () => {
    const MISSING = (field: string) => ({ code: 'NOT_FOUND', field })
    for (const [lineId, processId] of [
      [idOf(other.lines), idOf(other.processes)],
      [newId(), newId()],
      ['x', "' OR 1=1"],
    ]) {
      await expectRefused({ lineId }, MISSING('lineId'))
      await expectRefused({ processId }, MISSING('processId'))
      await expectRefused({ lineId, processId }, MISSING('lineId'), MISSING('processId'))
    }
    const crossed = { lineId: idOf(factory.lines, 0), processId: idOf(factory.processes, 1) }
    await expectRefused(crossed, { code: 'BAD_USER_INPUT', field: 'processId' })
  })

  it('is for admins and owners', async () => {
    const { spaceId } = factory
    const refusal = async (viewer: Viewer | null, input = {}) => (await run(input, viewer)).errors
    expect((await run({}, await device.addMember(spaceId, 'ADMIN'))).errors).toEqual([])
    for (const role of ['OPERATOR', 'VIEWER'] as const)
      expect(await refusal(await device.addMember(spaceId, role))).toEqual([
        expect.stringMatching(/^FORBIDDEN/),
      ])
    expect(await refusal(null)).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)])
    expect(await refusal(asUser(newId()))).toEqual([expect.stringMatching(/^NOT_FOUND/)])
    expect(await refusal(asDevice({ id: newId(), spaceId }))).toEqual([expect.stringMatching(/^FORBIDDEN/)])
    expect(await refusal(factory.owner, { spaceId: 'x' })).toEqual([expect.stringMatching(/^NOT_FOUND/)])
  })
})
