import { createHmac } from 'node:crypto'
import {
  type CryptoKey,
  decodeJwt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { newId } from '../uuid-v7.ts'
import { createTokenSigner, createTokenVerifier } from './access-token.ts'
import { createSetKey, serializeKeySet } from './key-set.ts'
import { readSigningKeys } from './signing-keys.ts'

const ours = await createSetKey(0)
const configured = serializeKeySet([ours])
const keys = await readSigningKeys({ configured, dataDir: '' })
const subject = { userId: newId(), sessionId: newId() }
const { token: good } = await createTokenSigner({ keys }).signUser(subject)
const [goodHeader, goodBody, goodSignature] = good.split('.')
const now = Math.floor(Date.now() / 1000)
const claims = {
  typ: 'user',
  sub: subject.userId,
  sid: subject.sessionId,
  iss: 'nuvion',
  aud: 'nuvion',
  iat: now,
  exp: now + 60,
}
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signed by our key or another, as ours are but for what a test changes. */
async function forge(
  changed: Record<string, unknown>,
  header: Record<string, unknown> = {},
  key: CryptoKey = keys.signing?.key as CryptoKey,
): Promise<string> {
  return new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: 'EdDSA', kid: ours.kid, typ: 'JWT', ...header } as JWTHeaderParameters)
    .sign(key)
}

/** Parts that no library would make. */
function assemble(header: unknown, body: unknown, signature = ''): string {
  return `${base64(header)}.${base64(body)}.${signature}`
}

function hmac(alg: string, secret: string | Buffer): string {
  const signed = `${base64({ alg, kid: ours.kid, typ: 'JWT' })}.${base64(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const publicKey = keys.verificationKey(ours.kid) as CryptoKey
const attacker = await generateKeyPair('EdDSA', { extractable: true })
const attackerJwk = await exportJWK(attacker.publicKey)
const rsa = await generateKeyPair('RS256')
const ec = await generateKeyPair('ES256')
const otherSet = await createSetKey(0)
const otherKey = (await importJWK(
  { kty: 'OKP', crv: 'Ed25519', x: otherSet.x, d: otherSet.d ?? '' },
  'EdDSA',
)) as CryptoKey

const HOSTILE: [string, string][] = [
  ...['none', 'None', 'NONE', 'nOnE', ''].map(
    alg => [`alg ${alg}`, assemble({ alg, kid: ours.kid }, claims)] as [string, string],
  ),
  ['alg none with a good signature', assemble({ alg: 'none', kid: ours.kid }, claims, goodSignature)],
  ['no alg', assemble({ kid: ours.kid }, claims, goodSignature)],
  ['HS256 under the public key’s bytes', hmac('HS256', Buffer.from(ours.x, 'base64url'))],
  ['HS256 under the public key’s text', hmac('HS256', ours.x)],
  ['HS256 under the public key as PEM', hmac('HS256', await exportSPKI(publicKey))],
  ['HS256 under the JWKS', hmac('HS256', JSON.stringify(keys.jwks))],
  ['EdDSA with a MAC', hmac('EdDSA', ours.x)],
  ['RS256', await forge({}, { alg: 'RS256' }, rsa.privateKey)],
  ['ES256', await forge({}, { alg: 'ES256' }, ec.privateKey)],
  ['an algorithm of encryption', assemble({ alg: 'dir', enc: 'A256GCM', kid: ours.kid }, claims, 'x')],
  ['an encrypted token of five parts', `${base64({ alg: 'dir', enc: 'A256GCM' })}....`],
  ['no kid', await forge({}, { kid: undefined })],
  ['another kid', await forge({}, { kid: 'another' })],
  ['the kid of another set', await forge({}, { kid: otherSet.kid }, otherKey)],
  ['our kid over another key', await forge({}, {}, attacker.privateKey)],
  ['a kid like a path', await forge({}, { kid: '../../../../dev/null' })],
  ['a kid like SQL', await forge({}, { kid: "' or 1=1 --" })],
  ['a kid of a prototype', await forge({}, { kid: '__proto__' })],
  ['a kid that is no text', assemble({ alg: 'EdDSA', kid: { $ne: null } }, claims, goodSignature)],
  ['a huge kid', await forge({}, { kid: 'k'.repeat(2_500) })],
  ['a key it brings (jwk)', await forge({}, { jwk: attackerJwk }, attacker.privateKey)],
  [
    'a key it brings, without kid',
    await forge({}, { jwk: attackerJwk, kid: undefined }, attacker.privateKey),
  ],
  [
    'a key it points to (jku)',
    await forge({}, { jku: 'http://127.0.0.1:9/jwks.json', kid: 'x' }, attacker.privateKey),
  ],
  [
    'a certificate (x5c, x5u)',
    await forge({}, { x5c: ['MIIB'], x5u: 'http://127.0.0.1:9/' }, attacker.privateKey),
  ],
  [
    'an extension that we do not know (crit)',
    assemble({ alg: 'EdDSA', kid: ours.kid, crit: ['exp'] }, claims, goodSignature),
  ],
  ['another payload', `${goodHeader}.${base64({ ...decodeJwt(good), sub: newId() })}.${goodSignature}`],
  [
    'another header',
    `${base64({ alg: 'EdDSA', kid: ours.kid, typ: 'JWT', x: 1 })}.${goodBody}.${goodSignature}`,
  ],
  ['no signature', `${goodHeader}.${goodBody}.`],
  ['a cut signature', good.slice(0, -4)],
  ['a long signature', `${good}AAAA`],
  ['four parts', `${good}.x`],
  ['two parts', `${goodHeader}.${goodBody}`],
  ['a header that is no JSON', `e30x.${goodBody}.${goodSignature}`],
  ['a header that is a list', `${base64([])}.${goodBody}.${goodSignature}`],
  ['a payload that is null', await assembleSigned('null')],
  ['a payload that is a list', await assembleSigned('[]')],
  ['another issuer', await forge({ iss: 'evil' })],
  ['no issuer', await forge({ iss: undefined })],
  ['another audience', await forge({ aud: 'evil' })],
  ['another kind', await forge({ typ: 'admin' })],
  ['a device’s kind with a user’s claims', await forge({ typ: 'device' })],
  ['a time before which it is not good', await forge({ nbf: now + 3_600 })],
  ['no end', await forge({ exp: undefined })],
  ['an end that is text', await forge({ exp: '9999999999' })],
  ['an end in years', await forge({ exp: now + 10 * 365 * 86_400 })],
  ['a beginning in years', await forge({ iat: now + 86_400, exp: now + 86_460 })],
  ['a user’s life as long as a device’s', await forge({ exp: now + 86_400 })],
]

async function assembleSigned(payload: string): Promise<string> {
  const signed = `${base64({ alg: 'EdDSA', kid: ours.kid, typ: 'JWT' })}.${Buffer.from(payload).toString('base64url')}`
  const signature = await crypto.subtle.sign('Ed25519', keys.signing?.key as CryptoKey, Buffer.from(signed))
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

describe('a hostile token', () => {
  it('is made as ours are: what is not changed is good', async () => {
    const verifier = createTokenVerifier({ keys })
    expect(await verifier.verify(await forge({}))).toMatchObject(subject)
    expect(await verifier.verify(await forge({}, { jwk: attackerJwk }))).toMatchObject(subject)
  })

  it.each(HOSTILE)('with %s is UNAUTHENTICATED, however often it comes', async (_, token) => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const verifier = createTokenVerifier({ keys })
    for (let i = 0; i < 2; i++)
      await expect(verifier.verify(token)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        message: expect.stringMatching(/not valid/),
      })
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it('that has expired is told apart from one that is none', async () => {
    await expect(createTokenVerifier({ keys }).verify(await forge({ exp: now - 1 }))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringMatching(/expired/),
    })
  })

  it('of a device is no user', async () => {
    const device = { deviceId: newId(), spaceId: newId() }
    const { token } = await createTokenSigner({ keys }).signDevice(device)
    expect(await createTokenVerifier({ keys }).verify(token)).toMatchObject({ kind: 'device', ...device })
  })

  it('that is too long is refused unread, and costs no key', async () => {
    const verificationKey = vi.fn(keys.verificationKey)
    const verifier = createTokenVerifier({ keys: { ...keys, verificationKey } })
    const long = await forge({ padding: 'x'.repeat(4_000) })
    for (const token of [long, 'x'.repeat(1_000_000), `${'.'.repeat(100_000)}`])
      await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(verificationKey).not.toHaveBeenCalled()
  })

  it('asks for the keys again only when it names one that is not known', async () => {
    const reload = vi.fn(async () => {})
    const verifier = createTokenVerifier({ keys: { ...keys, reload } })
    for (const [, token] of HOSTILE) await verifier.verify(token).catch(() => {})
    const unknown = HOSTILE.filter(
      ([name]) => /kid/.test(name) && !/our kid|no kid|no text|without/.test(name),
    )
    expect(reload).toHaveBeenCalledTimes(unknown.length + 1)
  })
})
