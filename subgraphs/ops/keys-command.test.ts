import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readKeyFile, readOrCreateKeyFile } from '../shared/auth/key-file.ts'
import { findComingKey, findSigningKey } from '../shared/auth/key-set.ts'

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))
let dataDir: string

/** Runs `npm run ops -- keys …` as npm does. */
function runKeys(args: string, env: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>(resolve => {
    execFile(
      process.execPath,
      [PROGRAM, 'keys', ...args.split(' ')],
      { env: { PATH: process.env.PATH, NUVION_DATA: dataDir, ...env }, timeout: 30_000 },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nuvion-ops-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('npm run ops -- keys', () => {
  it('rotates once, tells what each key does, and never a private half', async () => {
    const [old] = await readOrCreateKeyFile(dataDir)
    await runKeys('rotate')
    const { code, out } = await runKeys('rotate')
    const keys = await readKeyFile(dataDir)
    const coming = findComingKey(keys, Date.now())
    expect(code).toBe(0)
    expect(keys).toHaveLength(2)
    expect(out).toContain(
      `${coming?.kid}  verifies, signs from ${new Date(coming?.signsFrom ?? 0).toISOString()}`,
    )
    expect(out).toMatch(new RegExp(`^${old?.kid}  signs since .*, verifies until `, 'm'))
    expect((await runKeys('list')).out).toBe(out)
    for (const { d = '' } of keys) expect(out).not.toContain(d)
  })

  it('replaces every key at once when one got out', async () => {
    const [old] = await readOrCreateKeyFile(dataDir)
    await runKeys('rotate')
    const { code, out } = await runKeys('rotate --now')
    const keys = await readKeyFile(dataDir)
    expect(code).toBe(0)
    expect(keys).toHaveLength(1)
    expect(findSigningKey(keys, Date.now())?.kid).not.toBe(old?.kid)
    expect(out).toMatch(/signs since/)
  })

  it('makes no keys where there are none', async () => {
    const { code, err } = await runKeys('rotate --now')
    expect(code).toBe(1)
    expect(err).toContain(`There are no signing keys in ${dataDir}`)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('leaves configured keys to whoever configured them', async () => {
    const { code, err } = await runKeys('rotate', { NUVION_SIGNING_KEYS: '{"keys":[]}' })
    expect(code).toBe(2)
    expect(err).toMatch(/NUVION_SIGNING_KEYS is set/)
  })

  it.each(['turn', 'list --now'])('does not understand %s', async args => {
    const { code, err } = await runKeys(args)
    expect(code).toBe(2)
    expect(err).toContain('npm run ops -- keys list')
  })
})
