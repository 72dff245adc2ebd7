import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const PROGRESS_INTERVAL_MS = 10_000

/** Packages that only some suites need: a folder under perf with a lock file of its own. */
export interface PerfPackages {
  readonly folder: string
  /** Names them to who waits. */
  readonly title: string
}

/** What the product is compared with: several hundred MB and about a minute. */
export const PEERS: PerfPackages = { folder: 'peers', title: "the peers' packages" }

/** What devices and viewers of the load are held by: 460 MB and about half a minute. */
export const ARTILLERY: PerfPackages = { folder: 'artillery', title: 'Artillery' }

/** Installs packages unless they are there as their lock file says. Install scripts are not run, so no browser is downloaded. */
export async function installPerfPackages(
  root: string,
  { folder: name, title }: PerfPackages,
  progress: (message: string) => void,
): Promise<void> {
  const folder = join(root, 'perf', name)
  const stamp = join(folder, 'node_modules', '.nuvion-perf')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (readText(stamp) === wanted) return

  const startedAt = Date.now()
  const say = () => progress(`installing ${title} … ${Math.round((Date.now() - startedAt) / 1_000)} s`)
  say()
  const timer = setInterval(say, PROGRESS_INTERVAL_MS)
  try {
    const args = ['ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress']
    const child = spawn('npm', args, {
      cwd: folder,
      env: { ...process.env, PATH: withoutOwnPrograms(root), PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = await once(child, 'exit')
    if (code !== 0)
      throw new Error(`The packages of perf/${name} could not be installed: is the registry reachable?`)
    writeFileSync(stamp, wanted)
  } finally {
    clearInterval(timer)
  }
}

/** npm is to run on the Node it came with. */
function withoutOwnPrograms(root: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter(folder => !folder.startsWith(join(root, 'node_modules'))).join(delimiter)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
