// Makes a fresh machine able to run NUVION: `npm start` and `npm test` run this first. Plain JavaScript without
// packages, because there are none yet. Says nothing when there is nothing to do. With `media` it also builds what live
// video needs where that cannot be downloaded, which takes minutes.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDashboardStep } from './dashboard.mjs'
import { withLock } from './lock.mjs'
import { createMediaWorkerStep } from './media-worker.mjs'
import { createPackagesStep } from './packages.mjs'
import { withProgress } from './progress.mjs'
import { createServersStep } from './servers.mjs'
import { SetupError } from './setup-error.mjs'

const MIN_NODE_MAJOR = 20

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * What has to be there, in this order. A step is `{ title, isDone(), run(report) }`: `isDone` is quick and quiet, `run`
 * may take minutes, says by `report` how far it is, returns what to say instead of "done" if it is not, and throws
 * SetupError with a sentence that says what the person can do.
 */
const steps = [
  createPackagesStep({ root, env: process.env }),
  createDashboardStep({ root, env: process.env }),
  createServersStep({ env: process.env }),
  createMediaWorkerStep({ root, env: process.env, mayBuild: process.argv.includes('media') }),
]

async function main() {
  if (Number(process.versions.node.split('.')[0]) < MIN_NODE_MAJOR) {
    throw new SetupError(
      `Node ${MIN_NODE_MAJOR} or newer is needed to set up NUVION; this is ${process.version}.`,
    )
  }
  if (steps.every(step => step.isDone())) return
  await withLock(join(root, '.nuvion', 'setup.lock'), async () => {
    for (const step of steps) {
      // Asked again: another setup may have done it while this one waited.
      if (!step.isDone()) await withProgress(step.title, step.run)
    }
  })
}

// The exit handlers of the lock and of apt-get clean up.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.once(signal, () => process.exit(code))
}

main().catch(error => {
  console.error(error instanceof SetupError ? `\n${error.message}\n` : error)
  process.exit(1)
})
