import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMediaWorkerStep } from './media-worker.mjs'

let root: string
let cached: string
let place: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nuvion-setup-'))
  cached = join(root, 'cache', 'nuvion', 'media-worker', `9.9.9-${process.platform}-${process.arch}`)
  const packageDir = join(root, 'node_modules', 'mediasoup')
  place = join(packageDir, 'worker', 'out', 'Release', 'mediasoup-worker')
  mkdirSync(packageDir, { recursive: true })
  writeFileSync(join(packageDir, 'package.json'), '{ "version": "9.9.9", "type": "module" }')
  writeDownload('process.exit(1)')
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

/** A stand-in for mediasoup's script, which downloads. */
function writeDownload(script: string): void {
  writeFileSync(join(root, 'node_modules', 'mediasoup', 'npm-scripts.mjs'), script)
}

/** A stand-in for the worker: what it says when it is started by hand. */
const WORKER = '#!/bin/sh\nexit 41\n'

function writeWorker(file: string, script = WORKER): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, script)
  chmodSync(file, 0o755)
}

const step = (env: Record<string, string> = {}, mayBuild = false) =>
  createMediaWorkerStep({
    root,
    env: { PATH: join(root, 'bin'), XDG_CACHE_HOME: join(root, 'cache'), ...env },
    mayBuild,
    isRoot: false,
  })
const report = () => {}

describe("the step of mediasoup's worker", () => {
  it('has nothing to do when a worker is given, when one is in place, and when mediasoup is not installed', () => {
    expect(step().isDone()).toBe(false)
    expect(step({ MEDIASOUP_WORKER_BIN: '/opt/worker' }).isDone()).toBe(true)
    writeWorker(place)
    expect(step().isDone()).toBe(true)
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(step().isDone()).toBe(true)
  })

  it('takes the one of the cache, and downloads nothing', async () => {
    writeWorker(cached)
    writeDownload("import { writeFileSync } from 'node:fs'; writeFileSync('called', '')")
    await step().run(report)
    expect(readFileSync(place, 'utf8')).toBe(WORKER)
    expect(existsSync(join(root, 'node_modules', 'mediasoup', 'called'))).toBe(false)
  })

  it('takes the download when the cached one does not run here', async () => {
    writeWorker(cached, '#!/bin/sh\nexit 127\n')
    writeDownload(`
      import { mkdirSync, writeFileSync } from 'node:fs'
      if (process.env.PYTHON !== '/bin/false') process.exit(1)
      mkdirSync('worker/out/Release', { recursive: true })
      writeFileSync('worker/out/Release/mediasoup-worker', ${JSON.stringify(WORKER)}, { mode: 0o755 })`)
    await step().run(report)
    expect(step().isDone()).toBe(true)
    expect(readFileSync(place, 'utf8')).toBe(WORKER)
  })

  it('tries once for a version, does not fail, and leaves the build to whoever asks for it', async () => {
    expect(await step().run(report)).toBe('nothing found')
    expect(existsSync(place)).toBe(false)
    expect(step().isDone()).toBe(true)
    expect(step({}, true).isDone()).toBe(false)
    await expect(step({}, true).run(report)).rejects.toThrow(/sudo apt-get install g\+\+ meson/)
  })

  it('does not download where it is told not to', async () => {
    writeDownload("import { writeFileSync } from 'node:fs'; writeFileSync('called', '')")
    await step({ MEDIASOUP_SKIP_WORKER_PREBUILT_DOWNLOAD: '1' }).run(report)
    expect(existsSync(join(root, 'node_modules', 'mediasoup', 'called'))).toBe(false)
  })
})
