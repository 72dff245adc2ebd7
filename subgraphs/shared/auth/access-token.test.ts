import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, decodeJwt, decodeProtectedHeader, generateSecret, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../uuid-v7.ts'
import {
  ACCESS_TOKEN_LIFETIME_MS,
  createTokenSigner,
  createTokenVerifier,
  DEVICE_TOKEN_LIFETIME_MS,
} from './access-token.ts'
import { readSigningKeys } from './signing-keys.ts'

const dirs = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'nuvion-token-')))
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const [keys, otherKeys] = await Promise.all([
  readSigningKeys({ configured: null, dataDir: dirs[0] ?? '' }),
  readSigningKeys({ configured: null, dataDir: dirs[1] ?? '' }),
])
const signer = createTokenSigner({ keys })
const subject = { userId: newId(), sessionId: newId() }
const unauthenticated = (message: RegExp) =>
  expect.objectContaining({ code: 'UNAUTHENTICATED', message: expect.stringMatching(message) })

/** Signs anything with a good key, as ours are but for what a test changes. */
function forge(claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const { kid, key } = keys.signing as { kid: string; key: CryptoKey }
  const now = Math.floor(Date.now() / 1000)
  const ours = { typ: 'user', sub: subject.userId, sid: subject.sessionId, iss: 'nuvion', aud: 'nuvion' }
  return new SignJWT({ ...ours, iat: now, exp: now + 60, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid, ...header })
    .sign(key)
}

describe('a token', () => {
  it('of a user says who it is, in which session, for 15 minutes', async () => {
    const { token, expiresAt } = await signer.signUser(subject)
    const viewer = await createTokenVerifier({ keys }).verify(token)
    expect(viewer).toEqual({ kind: 'user', ...subject, expiresAt: expiresAt.getTime() })
    expect(Math.abs(expiresAt.getTime() - Date.now() - ACCESS_TOKEN_LIFETIME_MS)).toBeLessThan(2_000)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', kid: keys.signing?.kid })
    expect(decodeJwt(token)).toMatchObject({ typ: 'user', sub: subject.userId, sid: subject.sessionId })
  })

  it('of a device is no user token', async () => {
    const device = { deviceId: newId(), spaceId: newId() }
    const { token, expiresAt } = await signer.signDevice(device)
    expect(await createTokenVerifier({ keys }).verify(token)).toEqual({
      kind: 'device',
      ...device,
      expiresAt: expiresAt.getTime(),
    })
    expect(Math.abs(expiresAt.getTime() - Date.now() - DEVICE_TOKEN_LIFETIME_MS)).toBeLessThan(2_000)
  })

  it('expires, remembered or not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const verifier = createTokenVerifier({ keys })
    const { token } = await signer.signUser(subject)
    await verifier.verify(token)
    vi.setSystemTime(Date.now() + ACCESS_TOKEN_LIFETIME_MS)
    await expect(verifier.verify(token)).rejects.toThrow(unauthenticated(/expired/))
    await expect(verifier.verify(token)).rejects.toThrow(unauthenticated(/expired/))
    await expect(createTokenVerifier({ keys }).verify(token)).rejects.toThrow(unauthenticated(/expired/))
  })

  it('is verified once, also by many who ask at once', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const verifier = createTokenVerifier({ keys })
    const { token } = await signer.signUser(subject)
    await Promise.all([verifier.verify(token), verifier.verify(token)])
    await verifier.verify(token)
    expect(verify).toHaveBeenCalledTimes(1)
  })

  it('is not pushed out of memory by refused ones', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const verifier = createTokenVerifier({ keys, maxEntries: 2 })
    const { token } = await signer.signUser(subject)
    await verifier.verify(token)
    for (let i = 0; i < 5; i++) await verifier.verify(`${token.slice(0, -9)}garbage0${i}`).catch(() => {})
    expect(verify).toHaveBeenCalledTimes(6)
    await verifier.verify(token)
    expect(verify).toHaveBeenCalledTimes(6)
  })

  it('needs a key that may sign', async () => {
    expect(() => createTokenSigner({ keys: { ...keys, signing: null } })).toThrow(TypeError)
  })
})

describe('the verifier refuses', () => {
  const verifier = createTokenVerifier({ keys })

  it('what is no token of ours', async () => {
    const { token } = await signer.signUser(subject)
    const [head, body, signature] = token.split('.')
    const other = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: newId() })).toString('base64url')
    const hmac = new SignJWT(decodeJwt(token))
    const kid = keys.signing?.kid ?? ''
    const tokens = [
      '',
      'x',
      'a.b.c',
      'x'.repeat(10_000),
      `${head}.${body}`,
      `${head}.${other}.${signature}`,
      new UnsecuredJWT(decodeJwt(token)).encode(),
      await hmac.setProtectedHeader({ alg: 'HS256', kid }).sign(await generateSecret('HS256')),
      (await createTokenSigner({ keys: otherKeys }).signUser(subject)).token,
      await forge({}, { kid: otherKeys.signing?.kid }),
      await forge({}, { kid: undefined }),
    ]
    for (const bad of tokens) await expect(verifier.verify(bad)).rejects.toThrow(unauthenticated(/not valid/))
  })

  it.each([
    ['another issuer', { iss: 'other' }],
    ['another audience', { aud: 'other' }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that is no id', { sub: 'root' }],
    ['no kind', { typ: undefined }],
    ['an unknown kind', { typ: 'admin' }],
    ['no session', { sid: undefined }],
    ['a user called a device', { typ: 'device' }],
  ])('a signed token with %s', async (_, claims) => {
    expect(await verifier.verify(await forge({}))).toMatchObject({ kind: 'user' })
    await expect(verifier.verify(await forge(claims))).rejects.toThrow(unauthenticated(/not valid/))
  })
})
