import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findServerBinary } from '../embedded/server-binary.ts'

const PACKAGE = '@ffmpeg-installer/linux-x64@4.1.0'
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nuvion-test')
const DEADLINE_MS = 5 * 60_000

/**
 * Returns ffmpeg: the one of the machine, else one from a package of npm's that ships it, kept in a cache outside the project.
 * Null, with a loud line, where it cannot be had; under CI it throws instead.
 */
export async function findFfmpeg(): Promise<string | null> {
  const known = findServerBinary(['ffmpeg'])
  if (known !== undefined) return known
  const file = join(CACHE, 'ffmpeg-4.1.0')
  try {
    await access(file)
    return file
  } catch {}
  try {
    await mkdir(CACHE, { recursive: true })
    const dir = await mkdtemp(join(CACHE, 'unpack-'))
    try {
      const run = promisify(execFile)
      const options = { cwd: dir, timeout: DEADLINE_MS }
      const { stdout } = await run('npm', ['pack', PACKAGE, '--silent', '--ignore-scripts'], options)
      await run('tar', ['-xzf', stdout.trim()], options)
      await rename(join(dir, 'package', 'ffmpeg'), file)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
    return file
  } catch (error) {
    if (process.env.CI) throw error
    console.error('SKIPPED: tests with ffmpeg, as npm cannot bring it.', error)
    return null
  }
}
