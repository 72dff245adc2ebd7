import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { runCommand } from './command.mjs'
import { SetupError } from './setup-error.mjs'

/** What the page is made of, beside the packages of the lock file. */
const SOURCES = ['dashboard/index.html', 'dashboard/vite.config.ts', 'dashboard/src', 'dashboard/public']

/** Smaller files fit into a packet as they are. */
const MIN_COMPRESSED_BYTES = 1_024

const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg'])

/**
 * The step that builds the dashboard into dashboard/dist when what it is made of has changed, with its files compressed
 * beside them. The old build stands until the new one is whole.
 */
export function createDashboardStep({ root, env }) {
  const folder = join(root, 'dashboard', 'dist')
  const stamp = join(folder, '.built-of')

  return {
    title: 'Building the dashboard',
    // A copy without sources, such as one of a container, has been built.
    isDone: () => !existsSync(join(root, 'dashboard', 'src')) || readText(stamp) === hashOf(root),
    async run() {
      const built = `${folder}.${process.pid}`
      try {
        const hash = hashOf(root)
        await build(root, env, built)
        await compress(built)
        writeFileSync(join(built, '.built-of'), hash)
        rmSync(folder, { recursive: true, force: true })
        renameSync(built, folder)
      } finally {
        rmSync(built, { recursive: true, force: true })
      }
    },
  }
}

async function build(root, env, outDir) {
  const node = join(root, 'node_modules', '.bin', 'node')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', 'dashboard', '--outDir', outDir, '--logLevel', 'warn']
  const { code, output } = await runCommand(node, args, {
    cwd: root,
    env: { ...env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new SetupError(`${output}\nThe dashboard could not be built.`)
}

async function compress(folder) {
  const files = listFiles(folder).filter(file => COMPRESSED.has(extname(file)))
  await Promise.all(
    files.map(async file => {
      const bytes = readFileSync(file)
      if (bytes.length < MIN_COMPRESSED_BYTES) return
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
        promisify(gzip)(bytes, { level: 9 }),
      ])
      writeFileSync(`${file}.br`, br)
      writeFileSync(`${file}.gz`, gz)
    }),
  )
}

/** Names what a build is made of: the sources by their content, the packages by the lock file. */
function hashOf(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const source of SOURCES)
    for (const file of listFiles(join(root, source)))
      hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** All files at or below a path, in a steady order; none when there is nothing. */
function listFiles(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true })
    .sort()
    .map(name => join(path, name))
    .filter(file => statSync(file).isFile())
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
