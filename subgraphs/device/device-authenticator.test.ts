import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  deviceCredential,
  device as deviceTable,
  space as spaceTable,
} from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import {
  createTokenSigner,
  createTokenVerifier,
  DEVICE_TOKEN_LIFETIME_MS,
} from '../shared/auth/access-token.ts'
import { readSigningKeys } from '../shared/auth/signing-keys.ts'
import type { DeviceAuthenticator } from '../shared/device-directory.ts'
import { createLogger } from '../shared/logger.ts'
import { openMysql } from '../shared/mysql/open-mysql.ts'
import type { RightsChange } from '../shared/permissions/rights-watch.ts'
import { openTestDatabase, type TestDatabase } from '../shared/testkit/open-test-database.ts'
import { waitFor } from '../shared/testkit/wait-for.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertCredentials } from './credential-repository.ts'
import { createDeviceAuthenticator } from './device-authenticator.ts'
import { insertDevices } from './device-repository.ts'
import { createSecret, digestSecret } from './opaque-secret.ts'
import { startTokenSuspects, type TokenSuspects } from './token-suspects.ts'

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
const logger = createLogger({ level: 'silent', role: 'test' })
let database: TestDatabase
let authenticator: DeviceAuthenticator

beforeAll(async () => {
  database = await openTestDatabase()
  authenticator = createDeviceAuthenticator({ db: database.db, verifier })
  await createSpace(spaceId)
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  database.statements.length = 0
})

async function createSpace(id: string) {
  const createdAt = new Date()
  await database.db.insert(spaceTable).values({ id, name: 'x', timezone: 'UTC', createdAt })
}

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
      proof: { kind: 'credential', digest: digestSecret(credential).toString('hex') },
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

  it('costs three statements at most for 250, though each asks in a turn of the loop of its own', async () => {
    const devices = await createDevices(250)
    const answers: Promise<unknown>[] = []
    for (const { deviceId, credential } of devices) {
      answers.push(authenticator.byCredential(deviceId, credential))
      await new Promise(resolve => setImmediate(resolve))
    }
    expect((await Promise.all(answers)).every(answer => answer !== null)).toBe(true)
    expect(database.statements.length).toBeLessThanOrEqual(3)
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
      proof: { kind: 'token', issuedAt: expiresAt.getTime() - DEVICE_TOKEN_LIFETIME_MS },
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

describe('a device of a space that is deleted', () => {
  it('is not let in with anything until the space is restored', async () => {
    const deleted = newId()
    await createSpace(deleted)
    const { deviceId, credential } = await createDevice()
    await database.db.update(deviceTable).set({ spaceId: deleted }).where(eq(deviceTable.id, deviceId))
    const { token } = await signer.signDevice({ deviceId, spaceId: deleted })
    const setDeleted = (deletedAt: Date | null) =>
      database.db.update(spaceTable).set({ deletedAt }).where(eq(spaceTable.id, deleted))
    const letIn = async () => [
      (await authenticator.byCredential(deviceId, credential)) !== null,
      (await authenticator.byToken(token)) !== null,
    ]
    expect(await letIn()).toEqual([true, true])
    await setDeleted(new Date())
    expect(await letIn()).toEqual([false, false])
    await setDeleted(null)
    expect(await letIn()).toEqual([true, true])
  })
})

describe('a device that has been let in', () => {
  it('is found to have ended when what it showed holds no more, at most two statements for all', async () => {
    const [good, revoked, withToken, removed, rotated] = await createDevices(5)
    if (!good || !revoked || !withToken || !removed || !rotated) throw new Error('no devices')
    const tokenOf = async ({ deviceId }: typeof good) =>
      (await signer.signDevice({ deviceId, spaceId })).token
    const proven = [
      await authenticator.byCredential(good.deviceId, good.credential),
      await authenticator.byCredential(revoked.deviceId, revoked.credential),
      await authenticator.byToken(await tokenOf(withToken)),
      await authenticator.byToken(await tokenOf(removed)),
      await authenticator.byToken(await tokenOf(rotated)),
    ].filter(device => device !== null)
    expect(await authenticator.findEnded(proven)).toEqual([])
    const revoke = ({ deviceId }: typeof good) =>
      database.db
        .update(deviceCredential)
        .set({ revokedAt: new Date() })
        .where(eq(deviceCredential.deviceId, deviceId))
    await Promise.all([revoke(revoked), revoke(rotated)])
    await database.db.update(deviceTable).set({ removed: true }).where(eq(deviceTable.id, removed.deviceId))
    database.statements.length = 0
    const ended = await authenticator.findEnded(proven)
    expect(ended.map(({ deviceId }) => deviceId)).toEqual(
      [revoked, removed, rotated].map(({ deviceId }) => deviceId),
    )
    expect(database.statements).toHaveLength(2)
  })

  it('is found to have ended when the key of its token is taken out of the set', async () => {
    const { deviceId } = await createDevice()
    const { token } = await signer.signDevice({ deviceId, spaceId })
    let isInForce = true
    const keyed = createDeviceAuthenticator({
      db: database.db,
      verifier: { verify: verifier.verify, isInForce: () => isInForce },
    })
    const proven = await keyed.byToken(token)
    if (proven === null) throw new Error('not let in')
    expect(await keyed.findEnded([proven])).toEqual([])
    isInForce = false
    expect(await keyed.findEnded([proven])).toEqual([proven])
  })
})

describe('with a memory', () => {
  let tell: (change: RightsChange) => void
  let suspects: TokenSuspects
  let remembering: DeviceAuthenticator

  beforeEach(async () => {
    const listeners = new Set<typeof tell>()
    tell = change => {
      for (const listener of listeners) listener(change)
    }
    const watch = {
      onChange(listener: typeof tell) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
    suspects = startTokenSuspects({ db: database.db, watch, logger, refreshIntervalMs: 3_600_000 })
    remembering = createDeviceAuthenticator({ db: database.db, verifier, memory: { watch, suspects } })
    await waitFor(() => !suspects.isSuspect({ deviceId: newId(), spaceId }))
    database.statements.length = 0
  })
  afterEach(() => suspects[Symbol.asyncDispose]())

  const letIn = async ({ deviceId, credential }: { deviceId: string; credential: string }) =>
    (await remembering.byCredential(deviceId, credential)) !== null

  it('100 devices at once cost at most five statements with credentials, none when they come back', async () => {
    const devices = await createDevices(100)
    expect((await Promise.all(devices.map(letIn))).every(Boolean)).toBe(true)
    expect(database.statements.length).toBeLessThanOrEqual(5)
    database.statements.length = 0
    expect((await Promise.all(devices.map(letIn))).every(Boolean)).toBe(true)
    expect(database.statements).toEqual([])
  })

  it('100 devices at once cost no statement with tokens', async () => {
    const devices = await createDevices(100)
    const tokens = await Promise.all(devices.map(({ deviceId }) => signer.signDevice({ deviceId, spaceId })))
    const found = await Promise.all(tokens.map(({ token }) => remembering.byToken(token)))
    expect(found.map(device => device?.deviceId)).toEqual(devices.map(({ deviceId }) => deviceId))
    expect(database.statements).toEqual([])
  })

  it('forgets a credential at once when it hears that it was revoked, or its space changed, or of a gap', async () => {
    for (const change of ['credential-revoked', 'space-changed', 'unknown'] as const) {
      const [device, other] = await createDevices(2)
      if (!device || !other) throw new Error('no devices')
      const { deviceId } = device
      expect([await letIn(device), await letIn(other)]).toEqual([true, true])
      await database.db
        .update(deviceCredential)
        .set({ revokedAt: new Date() })
        .where(eq(deviceCredential.deviceId, deviceId))
      tell(change === 'unknown' ? { kind: change } : { kind: change, deviceId, spaceId })
      expect([await letIn(device), await letIn(other)]).toEqual([false, true])
    }
  })

  it('lets a credential in no longer than until it ends, and says when that is', async () => {
    const device = await createDevice()
    const expiresAt = new Date(Date.now() + 300)
    await database.db
      .update(deviceCredential)
      .set({ expiresAt })
      .where(eq(deviceCredential.deviceId, device.deviceId))
    const found = await remembering.byCredential(device.deviceId, device.credential)
    expect(found?.expiresAt).toBe(expiresAt.getTime())
    await waitFor(async () => !(await letIn(device)))
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime())
  })

  it('does not remember what was looked up across a revocation', async () => {
    const device = await createDevice()
    const before = letIn(device)
    tell({ kind: 'credential-revoked', deviceId: newId(), spaceId })
    expect(await before).toBe(true)
    await database.db
      .update(deviceCredential)
      .set({ revokedAt: new Date() })
      .where(eq(deviceCredential.deviceId, device.deviceId))
    expect(await letIn(device)).toBe(false)
  })

  it('looks up the tokens of suspects: those before the revocation are refused, later ones are not', async () => {
    const { deviceId } = await createDevice()
    const { token } = await signer.signDevice({ deviceId, spaceId })
    expect(await remembering.byToken(token)).not.toBeNull()
    const revokeAt = (revokedAt: Date) =>
      database.db.update(deviceCredential).set({ revokedAt }).where(eq(deviceCredential.deviceId, deviceId))
    await revokeAt(new Date())
    tell({ kind: 'credential-revoked', deviceId, spaceId })
    expect(await remembering.byToken(token)).toBeNull()
    await revokeAt(new Date(Date.now() - 5_000))
    expect(await remembering.byToken(token)).not.toBeNull()
  })

  it('suspects everyone after a gap until it has read who was revoked meanwhile', async () => {
    const [gone, other] = await createDevices(2)
    if (!gone || !other) throw new Error('no devices')
    await database.db.update(deviceTable).set({ removed: true }).where(eq(deviceTable.id, gone.deviceId))
    expect(suspects.isSuspect({ ...gone, spaceId })).toBe(false)
    tell({ kind: 'unknown' })
    expect(suspects.isSuspect({ ...other, spaceId })).toBe(true)
    await waitFor(() => !suspects.isSuspect({ ...other, spaceId }))
    expect(suspects.isSuspect({ ...gone, spaceId })).toBe(true)
  })
})
