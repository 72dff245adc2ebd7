import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readInternalSecret } from './internal-secret.ts'
import { readOrCreatePrivateFile } from './private-file.ts'
import { readSigningKeys } from './signing-keys.ts'

const dirs: string[] = []
function createDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'nuvion-auth-'))
  dirs.push(dir)
  return dir
}
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

describe('readOrCreatePrivateFile', () => {
  it('lets one of many win, whose content all answer, and leaves nothing else behind', async () => {
    const dir = createDir()
    const path = join(dir, 'deep', 'file')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => readOrCreatePrivateFile(path, () => `content ${i}`)),
    )
    expect(new Set(answers).size).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe(answers[0])
    expect(readdirSync(join(dir, 'deep'))).toEqual(['file'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('leaves no draft when the content cannot be made', async () => {
    const dir = createDir()
    const broken = () => Promise.reject(new Error('no entropy'))
    await expect(readOrCreatePrivateFile(join(dir, 'file'), broken)).rejects.toThrow('no entropy')
    expect(readdirSync(dir)).toEqual([])
  })
})

describe('readInternalSecret', () => {
  it('takes what is configured and touches no file', async () => {
    const dataDir = createDir()
    const configured = 'x'.repeat(32)
    expect(await readInternalSecret({ configured, dataDir })).toBe(configured)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('makes one of 256 bits and finds it again', async () => {
    const dataDir = createDir()
    const secret = await readInternalSecret({ configured: null, dataDir })
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await readInternalSecret({ configured: null, dataDir })).toBe(secret)
  })

  it('refuses a short one without repeating it', async () => {
    const dataDir = createDir()
    await expect(readInternalSecret({ configured: 'hunter2', dataDir })).rejects.toThrow(
      /^(?!.*hunter2).*fewer than 32 characters/,
    )
    writeFileSync(join(dataDir, 'internal-secret'), '')
    await expect(readInternalSecret({ configured: null, dataDir })).rejects.toThrow(/internal-secret/)
  })
})

describe('readSigningKeys', () => {
  it('makes a key once, and several that start at once end up with the same', async () => {
    const dataDir = createDir()
    const sets = await Promise.all(
      Array.from({ length: 5 }, () => readSigningKeys({ configured: null, dataDir })),
    )
    const kids = new Set(sets.map(keys => keys.signing?.kid))
    expect(kids.size).toBe(1)
    expect((await readSigningKeys({ configured: null, dataDir })).signing?.kid).toBe([...kids][0])
  })

  it('publishes nothing private', async () => {
    const { jwks, signing } = await readSigningKeys({ configured: null, dataDir: createDir() })
    expect(jwks.keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        kid: signing?.kid,
        alg: 'EdDSA',
        use: 'sig',
      },
    ])
  })

  it('signs with the first private key and verifies with all', async () => {
    const keysOf = async () => {
      const dataDir = createDir()
      await readSigningKeys({ configured: null, dataDir })
      const { signsFrom: _, ...key } = JSON.parse(readFileSync(join(dataDir, 'signing-keys.json'), 'utf8'))
        .keys[0]
      return key
    }
    const [first, second] = [await keysOf(), await keysOf()]
    const { d: _, ...firstPublic } = first
    const read = (keys: unknown[]) => readSigningKeys({ configured: JSON.stringify({ keys }), dataDir: '' })
    expect((await read([first, second])).signing?.kid).toBe(first.kid)
    expect((await read([firstPublic, second])).signing?.kid).toBe(second.kid)
    const verifying = await read([firstPublic])
    expect(verifying.signing).toBeNull()
    expect(verifying.verificationKey(first.kid)).toBeDefined()
    expect(verifying.verificationKey(second.kid)).toBeUndefined()
    await expect(read([first, first])).rejects.toThrow(/two keys/)
  })

  it.each([
    'nonsense',
    '{}',
    '{"keys":[]}',
    '{"keys":[{"kty":"RSA","n":"x","e":"AQAB"}]}',
    '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"short","d":"private"}]}',
  ])('refuses %s', async configured => {
    await expect(readSigningKeys({ configured, dataDir: '' })).rejects.toThrow(
      /^(?!.*"?private"?)The signing keys that are configured/,
    )
  })
})
