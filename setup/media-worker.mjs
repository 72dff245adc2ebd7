import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installWithApt } from './apt.mjs'
import { runCommand } from './command.mjs'
import { withLock } from './lock.mjs'
import { buildMediaWorker, placeFile, RUN_PACKAGES } from './media-worker-build.mjs'
import { findProgram } from './program.mjs'

/** A network that lets nothing out often hangs instead of refusing. */
const DOWNLOAD_DEADLINE_MS = 60_000

/**
 * The step that finds mediasoup's worker, the program that moves video: the one that MEDIASOUP_WORKER_BIN names, the one
 * at its place in the package, one of this user's cache, a prebuilt download, and, with `mayBuild`, a build here.
 *
 * Without `mayBuild` it never fails and tries once for each version: NUVION starts without live video then. With it,
 * SetupError says what is missing.
 */
export function createMediaWorkerStep({ root, env, mayBuild = false, isRoot = process.getuid?.() === 0 }) {
  const packageDir = join(root, 'node_modules', 'mediasoup')
  const place = join(packageDir, 'worker', 'out', 'Release', 'mediasoup-worker')
  const stamp = join(root, 'node_modules', '.nuvion-media-worker')
  const readVersion = () => JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')).version
  const hasTried = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === readVersion()

  /** Puts the cached worker in place when it runs here, installing its libraries when only they are missing. */
  async function takeCached(cached) {
    if (!existsSync(cached)) return false
    const apt = findProgram(['apt-get'], env.PATH)
    if (!doesRun(cached) && isRoot && apt !== undefined) {
      await installWithApt({ apt, env, choices: [[RUN_PACKAGES]] })
    }
    if (!doesRun(cached)) return false
    placeFile(cached, place)
    return true
  }

  return {
    title: "Getting mediasoup's worker for live video",
    isDone: () =>
      Boolean(env.MEDIASOUP_WORKER_BIN) ||
      existsSync(place) ||
      !existsSync(packageDir) ||
      (!mayBuild && hasTried()),
    async run(report) {
      const version = readVersion()
      const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'nuvion', 'media-worker')
      const cached = join(folder, `${version}-${process.platform}-${process.arch}`)
      if (await takeCached(cached)) return
      if (!env.MEDIASOUP_SKIP_WORKER_PREBUILT_DOWNLOAD) {
        report('downloading')
        await download({ packageDir, env })
        if (doesRun(place)) return
      }
      if (!mayBuild) {
        writeFileSync(stamp, version)
        return 'nothing found'
      }
      await withLock(`${cached}.lock`, async () => {
        if (!doesRun(cached)) await buildMediaWorker({ packageDir, file: cached, env, isRoot, report })
      })
      placeFile(cached, place)
    },
  }
}

/** Without the environment that its parent gives it, a worker says so and exits with 41. */
function doesRun(file) {
  return spawnSync(file, { env: {}, stdio: 'ignore', timeout: 10_000 }).status === 41
}

/** PYTHON is what mediasoup's script would go on with when there is nothing to download: its own build, by pip. */
async function download({ packageDir, env }) {
  await runCommand(process.execPath, ['npm-scripts.mjs', 'postinstall'], {
    cwd: packageDir,
    env: { ...env, PYTHON: '/bin/false' },
    deadlineMs: DOWNLOAD_DEADLINE_MS,
  })
}
