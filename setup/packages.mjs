import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from './command.mjs'
import { SetupError } from './setup-error.mjs'

/** With a worker named, mediasoup's own install script does nothing: a step of its own gets the worker. */
const LATER = 'later'

/** The step that installs the packages of package-lock.json, Node 24 for our scripts among them. */
export function createPackagesStep({ root, env }) {
  const lockFile = join(root, 'package-lock.json')
  const modules = join(root, 'node_modules')
  const stamp = join(modules, '.nuvion-setup')
  const wanted = () => createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  const hasNode = () => existsSync(join(modules, '.bin', 'node'))

  return {
    title: 'Installing packages',
    isDone() {
      if (!hasNode()) return false
      const hash = wanted()
      if (readText(stamp) === hash) return true
      if (!isInstalled(lockFile, join(modules, '.package-lock.json'))) return false
      writeFileSync(stamp, hash)
      return true
    },
    async run() {
      const { file, args } = findNpm(env, modules)
      const result = await runCommand(
        file,
        [...args, 'ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress'],
        {
          cwd: root,
          env: { ...env, PATH: withoutOwnPrograms(env.PATH, modules), MEDIASOUP_WORKER_BIN: LATER },
        },
      )
      if (result.code !== 0)
        throw new SetupError(`${result.output}\nnpm ci failed. Is the package registry reachable?`)
      if (!hasNode()) {
        throw new SetupError(
          'npm ci did not install Node 24 (the npm package `node`): are install scripts turned off?',
        )
      }
      writeFileSync(stamp, wanted())
    },
  }
}

/** True when npm itself has already installed what the lock file says, by hand or in a container's build. */
function isInstalled(lockFile, installedFile) {
  const installedText = readText(installedFile)
  if (installedText === undefined) return false
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(installedText).packages
  const isSame = (a, b) => a !== undefined && a.version === b.version && a.integrity === b.integrity
  return (
    Object.entries(installed).every(([path, entry]) => isSame(wanted[path], entry)) &&
    Object.entries(wanted).every(
      ([path, entry]) => path === '' || path in installed || entry.optional || entry.devOptional,
    )
  )
}

/**
 * The npm that runs us, on the Node that runs it. Not our own Node 24: npm ci begins with deleting it, and then starts
 * further processes of the Node it runs on.
 */
function findNpm(env, modules) {
  const node = env.npm_node_execpath
  if (env.npm_execpath && node && existsSync(node) && !node.startsWith(modules)) {
    return { file: node, args: [env.npm_execpath] }
  }
  return { file: 'npm', args: [] }
}

/** npm puts node_modules/.bin first on PATH; what is about to be deleted must not be found there. */
function withoutOwnPrograms(path = '', modules = '') {
  return path
    .split(delimiter)
    .filter(folder => !folder.startsWith(modules))
    .join(delimiter)
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
