import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deviceCredential, device as deviceTable, space } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { createTokenSigner, createTokenVerifier } from '../shared/auth/access-token.ts'
import { readSigningKeys } from '../shared/auth/signing-keys.ts'
import type { DeviceAuthenticator } from '../shared/device-directory.ts'
import { openMysql } from '../shared/mysql/open-mysql.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertCredentials } from './credential-repository.ts'
import { createDeviceAuthenticator } from './device-authenticator.ts'
import { insertDevices } from './device-repository.ts'
import { createSecret, digestSecret } from './opaque-secret.ts'

// The example of RFC 8037, appendix A.
const KEYS = JSON.stringify({
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    },
  ],
})

const keys = await readSigningKeys({ configured: KEYS, dataDir: '' })
const [signer, verifier] = [createTokenSigner({ keys }), createTokenVerifier({ keys })]
const spaceId = newId()
let database: TestDatabase
let authenticator: DeviceAuthenticator

beforeAll(async () => {
  database = await openTestDatabase()
  const createdAt = new Date()
  await database.db.insert(space).values({ id: spaceId, name: 'Factory', timezone: 'UTC', createdAt })
  authenticator = createDeviceAuthenticator({ db: database.db, verifier })
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  database.statements.length = 0
})

async function createDevices(count: number) {
  const createdAt = new Date()
  const devices = Array.from({ length: count }, () => ({ deviceId: newId(), credential: createSecret() }))
  await insertDevices(
    database.db,
    devices.map(({ deviceId }) => ({ id: deviceId, spaceId, code: deviceId, name: 'x', createdAt })),
  )
  await insertCredentials(
    database.db,
    devices.map(({ deviceId, credential }) => ({ deviceId, digest: digestSecret(credential), createdAt })),
  )
  database.statements.length = 0
  return devices
}

it('a device of a deleted space is let in neither way, and both ways when it is restored', async () => {
  const { deviceId, credential } = await createDevice()
  const { token } = await signer.signDevice({ deviceId, spaceId })
  const ask = () =>
    Promise.all([authenticator.byCredential(deviceId, credential), authenticator.byToken(token)])
  const setDeleted = (deletedAt: Date | null) =>
    database.db.update(space).set({ deletedAt }).where(eq(space.id, spaceId))
  await setDeleted(new Date())
  expect(await ask()).toEqual([null, null])
  await setDeleted(null)
  expect(await ask()).toEqual([expect.objectContaining({ deviceId }), expect.objectContaining({ deviceId })])
})

async function createDevice() {
  const [created] = await createDevices(1)
  if (created === undefined) throw new Error('no device')
  return created
}

describe('a device with its credential', () => {
  it('is let in, without an end', async () => {
    const { deviceId, credential } = await createDevice()
    expect(await authenticator.byCredential(deviceId, credential)).toEqual({
      deviceId,
      spaceId,
      expiresAt: null,
    })
  })

  it('is not let in with the credential of another, or with none', async () => {
    const [{ deviceId }, other] = [await createDevice(), await createDevice()]
    expect(await authenticator.byCredential(deviceId, other.credential)).toBeNull()
    expect(await authenticator.byCredential(deviceId, createSecret())).toBeNull()
    database.statements.length = 0
    for (const bad of ['', 'x', `${other.credential}x`, 'x'.repeat(100_000), "' OR 1=1"])
      expect(await authenticator.byCredential(deviceId, bad)).toBeNull()
    for (const bad of ['', 'x', 'é', deviceId.toUpperCase()])
      expect(await authenticator.byCredential(bad, other.credential)).toBeNull()
    expect(database.statements).toEqual([])
  })

  it('is not let in any more once it is removed or its credential revoked', async () => {
    const [removed, revoked] = [await createDevice(), await createDevice()]
    const letIn = async ({ deviceId, credential }: typeof removed) =>
      (await authenticator.byCredential(deviceId, credential)) !== null
    expect([await letIn(removed), await letIn(revoked)]).toEqual([true, true])
    await database.db.update(deviceTable).set({ removed: true }).where(eq(deviceTable.id, removed.deviceId))
    await database.db
      .update(deviceCredential)
      .set({ revokedAt: new Date() })
      .where(eq(deviceCredential.deviceId, revoked.deviceId))
    expect([await letIn(removed), await letIn(revoked)]).toEqual([false, false])
  })

  it('costs a statement for 100, though each asks in a tick of its own', async () => {
    const devices = await createDevices(250)
    const answers: Promise<unknown>[] = []
    for (const { deviceId, credential } of devices) {
      answers.push(authenticator.byCredential(deviceId, credential))
      await Promise.resolve()
    }
    expect((await Promise.all(answers)).every(answer => answer !== null)).toBe(true)
    expect(database.statements).toHaveLength(3)
  })

  it('waits no longer than the deadline for a database that is away', async () => {
    await using away = openMysql({ url: 'mysql://nobody@127.0.0.1:1/none' })
    const cut = createDeviceAuthenticator({ db: away.db, verifier, deadlineMs: 200 })
    await expect(cut.byCredential(newId(), createSecret())).rejects.toThrow()
  })
})

describe('a device with a token', () => {
  it('is let in until the token expires', async () => {
    const { deviceId } = await createDevice()
    const { token, expiresAt } = await signer.signDevice({ deviceId, spaceId })
    expect(await authenticator.byToken(token)).toEqual({
      deviceId,
      spaceId,
      expiresAt: expiresAt.getTime(),
    })
  })

  it('is not let in when it is no device, is unknown, removed, or has moved', async () => {
    const { deviceId } = await createDevice()
    const tokenOf = async (subject: { deviceId: string; spaceId: string }) =>
      (await signer.signDevice(subject)).token
    const user = await signer.signUser({ userId: deviceId, sessionId: newId() })
    const own = await tokenOf({ deviceId, spaceId })
    expect(await authenticator.byToken(user.token)).toBeNull()
    expect(await authenticator.byToken('garbage')).toBeNull()
    expect(await authenticator.byToken(await tokenOf({ deviceId: newId(), spaceId }))).toBeNull()
    expect(await authenticator.byToken(await tokenOf({ deviceId, spaceId: newId() }))).toBeNull()
    expect(await authenticator.byToken(own)).not.toBeNull()
    await database.db.update(deviceTable).set({ removed: true }).where(eq(deviceTable.id, deviceId))
    expect(await authenticator.byToken(own)).toBeNull()
  })
})
