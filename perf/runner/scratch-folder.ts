import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for a run. Dispose removes it. */
export interface ScratchFolder extends AsyncDisposable {
  readonly path: string
}

/**
 * Makes an empty folder named after the suite and this process, and removes those that runs left which were killed:
 * their servers may still have been writing, so they could not do it themselves.
 */
export async function makeScratchFolder(suite: string, base = tmpdir()): Promise<ScratchFolder> {
  const prefix = `nuvion-perf-${suite}-`
  for (const name of readdirSync(base)) {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(base, name), { recursive: true, force: true })
  }
  const path = await mkdtemp(join(base, `${prefix}${process.pid}-`))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}
