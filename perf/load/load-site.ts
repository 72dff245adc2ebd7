import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CpuPins, chooseCpuPins } from '../runner/cpu-pins.ts'
import type { LoadFlags } from './load-options.ts'
import { attachProduct, type ProductUnderTest, startProductUnderTest } from './product-under-test.ts'
import { openWorldFile, type WorldFile } from './world/world-state.ts'

/** A product and the perf world in it. Dispose ends the product where the harness has started it. */
export interface LoadSite extends AsyncDisposable {
  readonly root: string
  readonly flags: LoadFlags
  readonly product: ProductUnderTest
  readonly world: WorldFile
  readonly pins: CpuPins
  readonly isOwn: boolean
  readonly progress: (message: string) => void
}

/** How long a product that was aborted may take to end. */
const END_DEADLINE_MS = 60_000

/** Folder of worlds, baselines, reports and the product's data. */
export function perfFolder(root: string): string {
  return join(root, '.nuvion', 'perf')
}

/**
 * Opens the product that the flags name, or starts one, on one CPU if it `isMeasured` (default). Rejects when another run
 * has the harness's own.
 */
export async function openLoadSite(
  root: string,
  flags: LoadFlags,
  progress: (message: string) => void,
  { isMeasured = true }: { isMeasured?: boolean } = {},
): Promise<LoadSite> {
  const folder = perfFolder(root)
  mkdirSync(folder, { recursive: true })
  const pins = chooseCpuPins()
  const tag = randomBytes(4).toString('hex')
  if (flags.url !== null) {
    const { url, dataDir, metricsUrl, pid, databaseUrl, redisUrl, ingestRedisUrl } = flags
    const stores = { databaseUrl, redisUrl, ingestRedisUrl }
    const product = attachProduct({ url, dataDir, metricsUrl, pid, stores })
    const name = createHash('sha256').update(product.url).digest('hex').slice(0, 12)
    const world = openWorldFile(join(folder, `world-${name}.json`), tag)
    return {
      root,
      flags,
      product,
      world,
      pins,
      isOwn: false,
      progress,
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const unlock = lock(join(folder, 'site.lock'))
  try {
    const dataDir = join(folder, 'site')
    if (!existsSync(dataDir)) rmSync(join(folder, 'world.json'), { force: true })
    progress('starting the product')
    const product = await startProductUnderTest({ root, dataDir, cpu: isMeasured ? pins.measured : null })
    const world = openWorldFile(join(folder, 'world.json'), tag)
    return {
      ...{ root, flags, product, world, pins, isOwn: true, progress },
      async [Symbol.asyncDispose]() {
        await product[Symbol.asyncDispose]()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Removes the data of the harness's own product, after what an abort has left of it has ended. */
export async function removeOwnSite(root: string): Promise<void> {
  const folder = perfFolder(root)
  mkdirSync(folder, { recursive: true })
  const unlock = lock(join(folder, 'site.lock'))
  try {
    for (
      const deadline = Date.now() + END_DEADLINE_MS;
      listUsers(join(folder, 'site')).length > 0;
      await sleep(200)
    )
      if (Date.now() > deadline)
        throw new Error(
          `These processes use the harness's product still: ${listUsers(join(folder, 'site')).join(', ')}.`,
        )
    removeFiles(folder)
  } finally {
    unlock()
  }
}

/** Processes whose command line names a folder: the servers of a product on it. */
function listUsers(folder: string): string[] {
  return readdirSync('/proc').filter(name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`${folder}/`)
    } catch {
      return false
    }
  })
}

function removeFiles(folder: string): void {
  rmSync(join(folder, 'site'), { recursive: true, force: true, maxRetries: 3 })
  rmSync(join(folder, 'world.json'), { force: true })
}

/** A process that was killed may be listed still, but has no command line; and its number may be another one's. */
function isRunning(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('perf/main.ts')
  } catch {
    return false
  }
}

/** Two products on one data folder would end one another's servers. */
function lock(file: string): () => void {
  const holder = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (holder !== null && isRunning(holder))
    throw new Error(
      `Process ${holder} uses the harness's own product: wait for it, or name another one with --url.`,
    )
  writeFileSync(file, String(process.pid))
  return () => rmSync(file, { force: true })
}
