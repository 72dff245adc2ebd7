import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RevocationEvent } from '../../schema/live-event.ts'
import { audit, deviceCredential, device as deviceTable } from '../../schema/mysql/device-tables.ts'
import { desc, eq } from '../../schema/mysql/drizzle.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
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
  factory = await device.createSpace({ lines: 2, devices: 2 })
  other = await device.createSpace({ lines: 1, devices: 1 })
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})

const DEVICE = 'device { id code name model version line { id } process { id } }'
const FIELDS = {
  registerDevices: `registered { ${DEVICE} credential }`,
  updateDevice: DEVICE,
  removeDevice: DEVICE,
  rotateDeviceCredential: `${DEVICE} credential previousValidUntil`,
  deviceToken: 'token expiresAt',
}
type Mutation = keyof typeof FIELDS

const run = (viewer: Viewer | null, name: Mutation, input: object) =>
  device.run(
    viewer,
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
      payload: ${name}(input: $input) { ${FIELDS[name]} userErrors { code field message } } }`,
    { input },
  )

/** The payload of a mutation without GraphQL errors, with `CODE field` of each user error as `refusals`. */
async function mutate(name: Mutation, input: object, viewer: Viewer | null = factory.owner) {
  const { data, errors } = await run(viewer, name, input)
  expect(errors).toEqual([])
  const { userErrors, ...payload } = data.payload
  const refusals: string[] = userErrors.map(({ code, field }: Record<string, string>) => `${code} ${field}`)
  return { ...payload, refusals }
}

const idOf = (list: { id: string }[], index = 0) => list[index]?.id ?? ''

/** Registers devices of new codes. */
async function register(count = 1, part: object = {}) {
  const devices = Array.from({ length: count }, () => ({ code: newId(), name: 'Press', ...part }))
  const { registered, refusals } = await mutate('registerDevices', { spaceId: factory.spaceId, devices })
  expect(refusals).toEqual([])
  return registered as { device: { id: string; code: string }; credential: string }[]
}

async function registerOne(part?: object) {
  const [one] = await register(1, part)
  if (one === undefined) throw new Error('no device')
  return { deviceId: one.device.id, code: one.device.code, credential: one.credential }
}

/** Devices of the factory by code, as a reader sees them in the next request. */
async function find(code: string) {
  const { data } = await device.run(
    factory.owner,
    `query ($id: ID!, $code: String!, $spaceId: ID!) {
      space(id: $id) { devices(first: 1000) { nodes { id code name version line { id } process { id } } } }
      deviceByCode(spaceId: $spaceId, code: $code) { id } }`,
    { id: factory.spaceId, spaceId: factory.spaceId, code },
  )
  const found = data.space.devices.nodes.find((node: { code: string }) => node.code === code)
  expect(data.deviceByCode?.id).toBe(found?.id)
  return found
}

async function newestAudit() {
  const [row] = await database.db
    .select()
    .from(audit)
    .where(eq(audit.spaceId, factory.spaceId))
    .orderBy(desc(audit.id))
    .limit(1)
  return row
}

async function revocations(): Promise<RevocationEvent[]> {
  const entries = await redis.live.xrange(redisKeys.liveTopic('revocation', 'site'), '-', '+')
  return entries.flatMap(([, fields]) => JSON.parse(fields[1] ?? '[]'))
}

const authenticator = () => createDeviceAuthenticator({ db: database.db, verifier: device.verifier })

describe('registerDevices', () => {
  it('registers all of them, in the order of the input, with credentials that work', async () => {
    const [lineId, processId] = [idOf(factory.lines, 1), idOf(factory.processes, 1)]
    const registered = await register(3, { processId, model: 'X' })
    expect(registered.map(one => one.device)).toEqual(
      registered.map(({ device: { code } }) =>
        expect.objectContaining({ code, line: { id: lineId }, process: { id: processId }, version: 1 }),
      ),
    )
    for (const { device: made, credential } of registered)
      expect((await authenticator().byCredential(made.id, credential))?.deviceId).toBe(made.id)
    const codes = registered.map(one => one.device.code)
    expect((await Promise.all(codes.map(find))).map(found => found?.code)).toEqual(codes)
    expect(await newestAudit()).toMatchObject({ action: 'device.registered', targetName: 'Press' })
  })

  it('registers none when one is wrong, and names every field of every one', async () => {
    const { code: taken } = await registerOne()
    const before = await database.db.$count(deviceTable)
    const { registered, refusals } = await mutate('registerDevices', {
      spaceId: factory.spaceId,
      devices: [
        { code: 'good', name: 'Press' },
        { code: '', name: '\n', model: 'x'.repeat(129) },
        { code: taken, name: 'Press', lineId: idOf(other.lines) },
        { code: ' good ', name: 'Press', processId: 'x' },
        {
          code: 'crossed',
          name: 'Press',
          lineId: idOf(factory.lines),
          processId: idOf(factory.processes, 1),
        },
      ],
    })
    expect(registered).toBeNull()
    expect(refusals).toEqual([
      'BAD_USER_INPUT devices.1.code',
      'BAD_USER_INPUT devices.1.name',
      'BAD_USER_INPUT devices.1.model',
      'NOT_FOUND devices.2.lineId',
      'CONFLICT devices.2.code',
      'NOT_FOUND devices.3.processId',
      'CONFLICT devices.3.code',
      'BAD_USER_INPUT devices.4.processId',
    ])
    expect(await database.db.$count(deviceTable)).toBe(before)
  })

  it('takes 1 to 500, while the space has 20,000 at most', async () => {
    const { spaceId, owner } = await device.createSpace({})
    const make = (count: number) =>
      Array.from({ length: count }, () => ({ code: newId(), name: 'Press', createdAt: new Date() }))
    const attempt = async (count: number) => {
      const devices = make(count).map(({ code, name }) => ({ code, name }))
      return (await mutate('registerDevices', { spaceId, devices }, owner)).refusals
    }
    expect(await attempt(0)).toEqual(['BAD_USER_INPUT devices'])
    expect(await attempt(501)).toEqual(['BAD_USER_INPUT devices'])
    for (let i = 0; i < 39; i++)
      await database.db.insert(deviceTable).values(make(510).map(row => ({ ...row, id: newId(), spaceId })))
    expect(await attempt(111)).toEqual(['LIMIT_REACHED null'])
    expect(await attempt(110)).toEqual([])
    expect(await attempt(1)).toEqual(['LIMIT_REACHED null'])
  })

  it('lets one of many at once have a code, without a deadlock', async () => {
    const codes = Array.from({ length: 20 }, newId)
    const attempts = [codes, codes.toReversed(), codes, codes.toReversed()].map(list =>
      mutate('registerDevices', {
        spaceId: factory.spaceId,
        devices: list.map(code => ({ code, name: 'Press' })),
      }),
    )
    const refusals = (await Promise.all(attempts)).map(answer => answer.refusals.length)
    expect(refusals.sort()).toEqual([0, 20, 20, 20])
  })
})

describe('updateDevice', () => {
  it('changes what is given, on the version that it is based on', async () => {
    const { deviceId, code } = await registerOne({ model: 'X' })
    const { device: changed, refusals } = await mutate('updateDevice', {
      deviceId,
      version: 1,
      name: ' Weld ',
      code: `${code}-2`,
    })
    expect(refusals).toEqual([])
    expect(changed).toMatchObject({ code: `${code}-2`, name: 'Weld', model: 'X', version: 2 })
    expect(await find(code)).toBeUndefined()
    expect(await find(`${code}-2`)).toMatchObject({ id: deviceId, name: 'Weld', version: 2 })
    expect(await newestAudit()).toMatchObject({
      action: 'device.updated',
      targetId: deviceId,
      details: { name: { from: 'Press', to: 'Weld' }, code: { from: code, to: `${code}-2` } },
    })
    expect((await mutate('updateDevice', { deviceId, version: 1, name: 'Y' })).refusals).toEqual([
      'CONFLICT version',
    ])
    expect((await mutate('updateDevice', { deviceId, model: null })).device.model).toBeNull()
    const nothing = await mutate('updateDevice', { deviceId, name: 'Weld' })
    expect(nothing.device.version).toBe(3)
  })

  it('moves a device, whose process and line stay together', async () => {
    const { deviceId, code } = await registerOne()
    const [lineA, lineB] = [idOf(factory.lines, 0), idOf(factory.lines, 1)]
    const [processA, processB] = [idOf(factory.processes, 0), idOf(factory.processes, 1)]
    const move = async (input: object) => {
      const { refusals } = await mutate('updateDevice', { deviceId, ...input })
      const { line, process } = await find(code)
      return [refusals.join() || 'ok', line?.id ?? null, process?.id ?? null]
    }
    expect(await move({ processId: processA })).toEqual(['ok', lineA, processA])
    expect(await move({ processId: processB })).toEqual(['ok', lineB, processB])
    expect(await move({ lineId: lineA })).toEqual(['ok', lineA, null])
    expect(await move({ lineId: lineB, processId: processB })).toEqual(['ok', lineB, processB])
    const crossed = await move({ lineId: lineA, processId: processB })
    expect(crossed).toEqual(['BAD_USER_INPUT processId', lineB, processB])
    expect(await move({ processId: null })).toEqual(['ok', lineB, null])
    expect(await move({ lineId: null })).toEqual(['ok', null, null])
    for (const id of [idOf(other.lines), newId(), 'x'])
      expect((await move({ lineId: id }))[0]).toBe('NOT_FOUND lineId')
    expect((await move({ processId: idOf(other.processes) }))[0]).toBe('NOT_FOUND processId')
  })

  it('refuses a code that another device has, and what cannot be', async () => {
    const [one, two] = [await registerOne(), await registerOne()]
    const refused = async (input: object) =>
      (await mutate('updateDevice', { deviceId: one.deviceId, ...input })).refusals
    expect(await refused({ code: two.code })).toEqual(['CONFLICT code'])
    expect(await refused({ code: '', name: '', model: 'x'.repeat(129), lineId: 'x' })).toEqual([
      'BAD_USER_INPUT code',
      'BAD_USER_INPUT name',
      'BAD_USER_INPUT model',
      'NOT_FOUND lineId',
    ])
    const both = await Promise.all([
      mutate('updateDevice', { deviceId: one.deviceId, code: 'same' }),
      mutate('updateDevice', { deviceId: two.deviceId, code: 'same' }),
    ])
    expect(both.flatMap(({ refusals }) => refusals)).toEqual(['CONFLICT code'])
  })
})

describe('removeDevice', () => {
  it('ends its credential, its tokens and its sessions, frees its code, and keeps its past', async () => {
    const { deviceId, code, credential } = await registerOne()
    const { token } = await mutate('deviceToken', { deviceId, credential }, null)
    expect(await authenticator().byToken(token)).not.toBeNull()
    const removed = await mutate('removeDevice', { deviceId })
    expect(removed.device).toMatchObject({ id: deviceId, code })
    expect(await authenticator().byCredential(deviceId, credential)).toBeNull()
    expect(await authenticator().byToken(token)).toBeNull()
    expect((await mutate('deviceToken', { deviceId, credential }, null)).refusals).toEqual([
      'INVALID_CREDENTIALS null',
    ])
    expect((await revocations()).at(-1)).toEqual({
      kind: 'credential-revoked',
      deviceId,
      spaceId: factory.spaceId,
    })
    expect(await newestAudit()).toMatchObject({ action: 'device.removed', targetId: deviceId })
    expect(await find(code)).toBeUndefined()
    const { data } = await device.run(
      factory.owner,
      `query ($id: ID!, $r: [_Any!]!) {
        device(id: $id) { id } _entities(representations: $r) { ... on Device { name } } }`,
      { id: deviceId, r: [{ __typename: 'Device', id: deviceId }] },
    )
    expect(data).toEqual({ device: null, _entities: [{ name: 'Press' }] })
    for (const mutation of ['removeDevice', 'updateDevice', 'rotateDeviceCredential'] as const)
      expect((await mutate(mutation, { deviceId })).refusals).toEqual(['NOT_FOUND deviceId'])

    const [again] = await register(1, { code })
    expect((await find(code))?.id).toBe(again?.device.id)
    expect(again?.device.id).not.toBe(deviceId)
  })

  it('does it once', async () => {
    const { deviceId } = await registerOne()
    const answers = await Promise.all([1, 2, 3].map(() => mutate('removeDevice', { deviceId })))
    expect(answers.filter(answer => answer.device !== null)).toHaveLength(1)
  })
})

describe('rotateDeviceCredential', () => {
  const isGood = async (deviceId: string, credential: string) =>
    (await authenticator().byCredential(deviceId, credential)) !== null

  it('makes a new credential; the one before stays good for a while, those before it do not', async () => {
    const { deviceId, credential: first } = await registerOne()
    const second = await mutate('rotateDeviceCredential', { deviceId })
    const validMs = Date.parse(second.previousValidUntil) - Date.now()
    expect(validMs).toBeGreaterThan(59 * 60_000)
    expect(validMs).toBeLessThanOrEqual(60 * 60_000)
    expect([await isGood(deviceId, first), await isGood(deviceId, second.credential)]).toEqual([true, true])
    expect(await newestAudit()).toMatchObject({
      action: 'device.credential-rotated',
      details: { overlapMinutes: 60 },
    })
    const third = await mutate('rotateDeviceCredential', { deviceId, overlapMinutes: 5 })
    expect(await isGood(deviceId, first)).toBe(false)
    expect(await isGood(deviceId, second.credential)).toBe(true)
    expect(await isGood(deviceId, third.credential)).toBe(true)
    // Its time is over.
    await database.db
      .update(deviceCredential)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(deviceCredential.expiresAt, new Date(third.previousValidUntil)))
    expect(await isGood(deviceId, second.credential)).toBe(false)
    expect(await isGood(deviceId, third.credential)).toBe(true)
    expect((await revocations()).filter(event => 'deviceId' in event && event.deviceId === deviceId)).toEqual(
      [],
    )
  })

  it('without an overlap ends the one before, tokens and sessions at once, and new tokens are good', async () => {
    const { deviceId, credential } = await registerOne()
    const { token } = await mutate('deviceToken', { deviceId, credential }, null)
    const rotated = await mutate('rotateDeviceCredential', { deviceId, overlapMinutes: 0 })
    expect(rotated.previousValidUntil).toBeNull()
    expect(await isGood(deviceId, credential)).toBe(false)
    expect(await authenticator().byToken(token)).toBeNull()
    expect((await revocations()).at(-1)).toMatchObject({ kind: 'credential-revoked', deviceId })
    const renewed = await mutate('deviceToken', { deviceId, credential: rotated.credential }, null)
    expect((await authenticator().byToken(renewed.token))?.deviceId).toBe(deviceId)
  })

  it('leaves two that are good, however many are made at once', async () => {
    const { deviceId, credential } = await registerOne()
    const made = await Promise.all([1, 2, 3, 4].map(() => mutate('rotateDeviceCredential', { deviceId })))
    const all = [credential, ...made.map(rotation => rotation.credential)]
    const good = await Promise.all(all.map(one => isGood(deviceId, one)))
    expect(good.filter(Boolean)).toHaveLength(2)
  })

  it('refuses an overlap that cannot be', async () => {
    const { deviceId } = await registerOne()
    for (const overlapMinutes of [-1, 10_081])
      expect((await mutate('rotateDeviceCredential', { deviceId, overlapMinutes })).refusals).toEqual([
        'BAD_USER_INPUT overlapMinutes',
      ])
  })
})

describe('deviceToken', () => {
  it('is good for 24 hours, for that device', async () => {
    const { deviceId, credential } = await registerOne()
    const { token, expiresAt, refusals } = await mutate('deviceToken', { deviceId, credential }, null)
    expect(refusals).toEqual([])
    expect(await device.verifier.verify(token)).toEqual({
      kind: 'device',
      deviceId,
      spaceId: factory.spaceId,
      expiresAt: Date.parse(expiresAt),
    })
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.99)
    expect(hours).toBeLessThanOrEqual(24)
  })

  it('is refused alike for whatever is wrong', async () => {
    const [one, two] = [await registerOne(), await registerOne()]
    for (const input of [
      { deviceId: one.deviceId, credential: two.credential },
      { deviceId: newId(), credential: one.credential },
      { deviceId: one.deviceId, credential: `${one.credential}x` },
      { deviceId: one.deviceId, credential: '' },
      { deviceId: 'x', credential: one.credential },
    ]) {
      const answer = await mutate('deviceToken', input, null)
      expect(answer).toEqual({ token: null, expiresAt: null, refusals: ['INVALID_CREDENTIALS null'] })
    }
  })
})

describe('changes of devices', () => {
  const attempts = () => {
    const deviceId = idOf(other.devices)
    return [
      ['registerDevices', { spaceId: other.spaceId, devices: [{ code: newId(), name: 'X' }] }],
      ['updateDevice', { deviceId, name: 'X' }],
      ['removeDevice', { deviceId }],
      ['rotateDeviceCredential', { deviceId }],
    ] as const
  }

  it('are for admins and owners', async () => {
    const members = [
      await device.addMember(other.spaceId, 'VIEWER'),
      await device.addMember(other.spaceId, 'OPERATOR'),
      asDevice({ id: idOf(other.devices), spaceId: other.spaceId }),
    ]
    for (const [name, input] of attempts()) {
      for (const member of members)
        expect((await run(member, name, input)).errors).toEqual([expect.stringMatching(/^FORBIDDEN/)])
      expect((await run(null, name, input)).errors).toEqual([expect.stringMatching(/^UNAUTHENTICATED/)])
    }
    const admin = await device.addMember(other.spaceId, 'ADMIN')
    for (const [name, input] of attempts().toSorted(([a]) => (a === 'removeDevice' ? 1 : -1)))
      expect((await mutate(name, input, admin)).refusals).toEqual([])
  })

  it('tell strangers that there is nothing', async () => {
    const stranger = asUser(newId())
    const elsewhere = await device.createSpace({ devices: 1 })
    const deviceId = idOf(elsewhere.devices)
    for (const name of ['updateDevice', 'removeDevice', 'rotateDeviceCredential'] as const)
      for (const id of [deviceId, newId(), 'x'])
        expect((await mutate(name, { deviceId: id }, stranger)).refusals).toEqual(['NOT_FOUND deviceId'])
    const devices = [{ code: 'x', name: 'X' }]
    const { errors } = await run(stranger, 'registerDevices', { spaceId: elsewhere.spaceId, devices })
    expect(errors).toEqual([expect.stringMatching(/^NOT_FOUND/)])
  })
})
