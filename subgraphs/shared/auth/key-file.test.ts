import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../logger.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { withFileLock } from './file-lock.ts'
import { changeKeyFile, keyFilePath, readKeyFile, readOrCreateKeyFile } from './key-file.ts'
import { startKeyRotation } from './key-rotation.ts'
import { createSetKey, rotateKeys, type SetKey, serializeKeySet } from './key-set.ts'

const DAY_MS = 24 * 60 * 60_000
const logger = createLogger({ level: 'silent', role: 'test' })
let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nuvion-keys-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('changeKeyFile', () => {
  it('loses no change of many at once, and leaves one private file', async () => {
    await readOrCreateKeyFile(dataDir)
    const add = async (keys: readonly SetKey[]) => [...keys, await createSetKey(0)]
    await Promise.all(Array.from({ length: 12 }, () => changeKeyFile(dataDir, add)))
    expect(await readKeyFile(dataDir)).toHaveLength(13)
    expect(readdirSync(dataDir)).toEqual(['signing-keys.json'])
    expect(statSync(keyFilePath(dataDir)).mode & 0o777).toBe(0o600)
  })

  it('rotates once when many rotate at once', async () => {
    await readOrCreateKeyFile(dataDir)
    const sets = await Promise.all(
      Array.from({ length: 8 }, () => changeKeyFile(dataDir, keys => rotateKeys(keys, Date.now()))),
    )
    expect(new Set(sets.map(keys => keys.map(({ kid }) => kid).join())).size).toBe(1)
    expect(await readKeyFile(dataDir)).toHaveLength(2)
  })

  it('writes nothing when nothing changes or the change fails', async () => {
    await readOrCreateKeyFile(dataDir)
    const before = statSync(keyFilePath(dataDir)).ino
    await changeKeyFile(dataDir, keys => keys)
    await expect(changeKeyFile(dataDir, () => Promise.reject(new Error('no entropy')))).rejects.toThrow()
    expect(statSync(keyFilePath(dataDir)).ino).toBe(before)
    expect(readdirSync(dataDir)).toEqual(['signing-keys.json'])
  })

  it('refuses a file that is too large', async () => {
    writeFileSync(keyFilePath(dataDir), 'x'.repeat(70_000))
    await expect(readKeyFile(dataDir)).rejects.toThrow(/larger than 65536 bytes/)
  })
})

describe('withFileLock', () => {
  it('waits for whoever holds it, and gives up in time', async () => {
    const path = join(dataDir, 'file')
    const held = Promise.withResolvers<void>()
    const first = withFileLock(path, () => held.promise)
    await waitFor(() => readdirSync(dataDir).length > 0)
    await expect(withFileLock(path, async () => {}, 100)).rejects.toThrow(/held by another/)
    const second = withFileLock(path, async () => 'done')
    held.resolve()
    await first
    expect(await second).toBe('done')
  })

  it('takes away one that a crash has left, though many find it', async () => {
    const path = join(dataDir, 'file')
    writeFileSync(`${path}.lock`, 'somebody')
    const longAgo = new Date(Date.now() - 120_000)
    utimesSync(`${path}.lock`, longAgo, longAgo)
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      await new Promise(resolve => setImmediate(resolve))
      inside--
    }
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(path, work)))
    expect(most).toBe(1)
    expect(readdirSync(dataDir)).toEqual([])
  })
})

describe('the rotation', () => {
  const age = async (days: number) =>
    writeFileSync(keyFilePath(dataDir), serializeKeySet([await createSetKey(Date.now() - days * DAY_MS)]))
  const start = (maxAgeMs: number) => startKeyRotation({ dataDir, maxAgeMs, logger })

  it('renews an old key once, however many processes share the folder', async () => {
    await age(91)
    const rotations = Array.from({ length: 5 }, () => start(90 * DAY_MS))
    for (const rotation of rotations) await rotation[Symbol.asyncDispose]()
    const keys = await readKeyFile(dataDir)
    expect(keys).toHaveLength(2)
    expect(keys.map(({ signsFrom }) => signsFrom > Date.now())).toEqual([true, false])
  })

  it('leaves a young key, and one that is to sign for good', async () => {
    await age(89)
    const before = await readKeyFile(dataDir)
    await start(90 * DAY_MS)[Symbol.asyncDispose]()
    await start(Infinity)[Symbol.asyncDispose]()
    expect(await readKeyFile(dataDir)).toEqual(before)
  })

  it('takes out what is over, also when it does not rotate', async () => {
    const [next, old] = [await createSetKey(Date.now() - DAY_MS), await createSetKey(0)]
    const over = { ...(await createSetKey(0)), verifiesUntil: Date.now() - 1 }
    const keys = [next, { ...old, verifiesUntil: Date.now() + DAY_MS }, over]
    writeFileSync(keyFilePath(dataDir), serializeKeySet(keys))
    await start(Infinity)[Symbol.asyncDispose]()
    expect((await readKeyFile(dataDir)).map(({ kid, d }) => [kid, d !== undefined])).toEqual([
      [next.kid, true],
      [old.kid, false],
    ])
  })
})
