import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPackagesStep } from './packages.mjs'

let root: string
let bin: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nuvion-setup-'))
  bin = join(root, 'bin')
  mkdirSync(bin)
  writeLockFile({ 'node_modules/a': { version: '1.0.0', integrity: 'x' } })
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const writeLockFile = (packages: object) =>
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }))

const writeInstalled = (packages: object) => {
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules', '.bin', 'node'), '')
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

/** A stand-in for npm, which downloads: it records what it was told and leaves a Node behind, or fails. */
function writeNpm(script: string) {
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
}

const step = () => {
  const own = join(root, 'node_modules', '.bin')
  return createPackagesStep({ root, env: { PATH: [own, bin, '/usr/bin', '/bin'].join(delimiter) } })
}

describe('the packages step', () => {
  it('installs once for each lock file', async () => {
    writeNpm(
      'echo "$@ $PATH worker=$MEDIASOUP_WORKER_BIN" >> calls; mkdir -p node_modules/.bin; touch node_modules/.bin/node',
    )
    expect(step().isDone()).toBe(false)
    await step().run()
    expect(step().isDone()).toBe(true)
    writeLockFile({ 'node_modules/a': { version: '1.0.1', integrity: 'y' } })
    expect(step().isDone()).toBe(false)
    await step().run()
    expect(step().isDone()).toBe(true)
    const calls = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')
    expect(calls).toHaveLength(2)
    expect(calls[0]).toMatch(/^ci .*--loglevel=error/)
    expect(calls[0]).not.toContain(join(root, 'node_modules'))
    // npm 10 does not know which install scripts may run, and mediasoup's fails where it cannot download.
    expect(calls[0]).toMatch(/ worker=later$/)
  })

  it('takes what npm installed by itself, without what is optional, and only in the versions of the lock file', () => {
    const a = { version: '1.0.0', integrity: 'x' }
    writeLockFile({ 'node_modules/a': a, 'node_modules/mac-only': { version: '1.0.0', optional: true } })
    writeInstalled({ 'node_modules/a': { ...a, version: '0.9.0' } })
    expect(step().isDone()).toBe(false)
    writeInstalled({})
    expect(step().isDone()).toBe(false)
    writeInstalled({ 'node_modules/a': a })
    expect(step().isDone()).toBe(true)
    rmSync(join(root, 'node_modules', '.bin', 'node'))
    expect(step().isDone()).toBe(false)
  })

  it('says what npm said when it fails, and is not done', async () => {
    writeNpm('echo "npm error network" >&2; exit 1')
    await expect(step().run()).rejects.toThrow(/npm error network[\s\S]*npm ci failed/)
    expect(step().isDone()).toBe(false)
    expect(existsSync(join(root, 'node_modules'))).toBe(false)
  })

  it('says so when the install left no Node for the scripts', async () => {
    writeNpm('mkdir -p node_modules')
    await expect(step().run()).rejects.toThrow('did not install Node 24')
  })
})
