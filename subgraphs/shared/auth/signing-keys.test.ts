import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../logger.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { newId } from '../uuid-v7.ts'
import { createTokenSigner, createTokenVerifier } from './access-token.ts'
import { changeKeyFile, keyFilePath } from './key-file.ts'
import { createSetKey, KEY_OVERLAP_MS, LONGEST_TOKEN_LIFETIME_MS, pruneKeys, rotateKeys } from './key-set.ts'
import { type FollowedSigningKeys, followSigningKeys } from './signing-keys.ts'

const logged: string[] = []
const logger = createLogger({
  level: 'error',
  role: 'test',
  destination: { write: line => void logged.push(line) },
})
const followers: FollowedSigningKeys[] = []
let dataDir: string

/** A process of the site; one that never polls learns of keys only by the tokens it meets. */
async function follow(pollIntervalMs = 20, reloadIntervalMs = 0): Promise<FollowedSigningKeys> {
  const keys = await followSigningKeys({
    configured: null,
    dataDir,
    logger,
    pollIntervalMs,
    reloadIntervalMs,
  })
  followers.push(keys)
  return keys
}
const NEVER = 2 ** 31 - 1
const kidsOf = ({ jwks }: FollowedSigningKeys) => jwks.keys.map(({ kid }) => kid)
const subject = { userId: newId(), sessionId: newId() }

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nuvion-keys-'))
  logged.length = 0
})
afterEach(async () => {
  vi.useRealTimers()
  for (const keys of followers.splice(0)) await keys[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('keys that are followed', () => {
  it('are rotated without anybody noticing: all know a key before it signs, and old tokens stay good', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const [device, gateway] = [await follow(), await follow()]
    const old = device.signing?.kid
    const [signer, verifier] = [createTokenSigner({ keys: device }), createTokenVerifier({ keys: gateway })]
    const reload = vi.spyOn(gateway, 'reload')

    await changeKeyFile(dataDir, keys => rotateKeys(keys, Date.now()))
    await waitFor(() => [device, gateway].every(keys => kidsOf(keys).length === 2))
    expect(device.signing?.kid).toBe(old)
    expect(JSON.stringify(gateway.jwks)).not.toContain('"d"')

    const longLived = (await signer.signDevice({ deviceId: newId(), spaceId: newId() })).token
    vi.setSystemTime(Date.now() + KEY_OVERLAP_MS)
    expect(device.signing?.kid).not.toBe(old)
    await verifier.verify((await signer.signUser(subject)).token)
    await changeKeyFile(dataDir, keys => pruneKeys(keys, Date.now() + 6 * 60_000))
    vi.setSystemTime(Date.now() + LONGEST_TOKEN_LIFETIME_MS - KEY_OVERLAP_MS - 1_000)
    await createTokenVerifier({ keys: gateway }).verify(longLived)
    expect(reload).not.toHaveBeenCalled()

    vi.setSystemTime(Date.now() + 30 * 60_000)
    expect(kidsOf(gateway)).toEqual([device.signing?.kid])
    expect(gateway.verificationKey(String(old))).toBeUndefined()
  })

  it('that were taken out are refused, though their tokens were verified before', async () => {
    const keys = await follow()
    const [signer, verifier] = [createTokenSigner({ keys }), createTokenVerifier({ keys })]
    const removed = vi.fn()
    const stopListening = keys.onRemoved(removed)
    const { token } = await signer.signUser(subject)
    const viewer = await verifier.verify(token)
    expect(verifier.isInForce(viewer)).toBe(true)

    await changeKeyFile(dataDir, async () => [await createSetKey(Date.now())])
    await waitFor(() => removed.mock.calls.length === 1)
    await expect(verifier.verify(token)).rejects.toThrow(/not valid/)
    expect(verifier.isInForce(viewer)).toBe(false)
    await verifier.verify((await signer.signUser(subject)).token)

    stopListening()
    await changeKeyFile(dataDir, async () => [await createSetKey(Date.now())])
    await expect(verifier.verify(token)).rejects.toThrow(/not valid/)
    expect(removed).toHaveBeenCalledTimes(1)
  })

  it('are not taken for removed when one is added', async () => {
    const keys = await follow()
    const verifier = createTokenVerifier({ keys })
    const removed = vi.fn()
    keys.onRemoved(removed)
    const viewer = await verifier.verify((await createTokenSigner({ keys }).signUser(subject)).token)
    await changeKeyFile(dataDir, set => rotateKeys(set, Date.now()))
    await waitFor(() => kidsOf(keys).length === 2)
    expect(removed).not.toHaveBeenCalled()
    expect(verifier.isInForce(viewer)).toBe(true)
  })

  it('are looked for at once for a token of a key that is new', async () => {
    const [sleepy, device] = [await follow(NEVER), await follow(NEVER)]
    await changeKeyFile(dataDir, async () => [await createSetKey(Date.now())])
    await device.reload()
    const { token } = await createTokenSigner({ keys: device }).signUser(subject)
    const verifier = createTokenVerifier({ keys: sleepy })
    const answers = await Promise.all([verifier.verify(token), verifier.verify(token)])
    expect(answers[0]).toMatchObject(subject)
  })

  it('are not looked for at each token of no key', async () => {
    const keys = await follow(NEVER, NEVER)
    await keys.reload()
    await changeKeyFile(dataDir, set => rotateKeys(set, Date.now()))
    for (let i = 0; i < 100; i++) await keys.reload()
    expect(kidsOf(keys)).toHaveLength(1)
  })

  it.each(['', '{"keys":[]}', '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"short"}]}'])(
    'stay as they are when the file says %j, and are followed again when it is mended',
    async content => {
      const keys = await follow()
      const before = kidsOf(keys)
      writeFileSync(keyFilePath(dataDir), content)
      await waitFor(() => logged.length > 0)
      expect(kidsOf(keys)).toEqual(before)
      rmSync(keyFilePath(dataDir))
      await waitFor(() => logged.length > 1)
      expect(kidsOf(keys)).toEqual(before)
      const other = await follow()
      await waitFor(() => kidsOf(keys)[0] === kidsOf(other)[0])
      expect(logged).toHaveLength(2)
    },
  )

  it('do not change when they are configured', async () => {
    const key = await createSetKey(0)
    const { kid, x, d } = key
    const configured = JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid, x, d }] })
    await using keys = await followSigningKeys({ configured, dataDir, logger, pollIntervalMs: 1 })
    await keys.reload()
    expect(kidsOf(keys)).toEqual([kid])
  })
})
