import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '../deadline.ts'
import { AppError } from '../errors.ts'

/** How long the work under a lock may take. */
const WORK_DEADLINE_MS = 10_000

/** A lock older than this was left by a process that died. */
const STALE_MS = 60_000

const RETRY_INTERVAL_MS = 50

/**
 * Runs `work` (10 s at most) while nobody else who locks the same path does, in whatever process and on whatever machine
 * shares the folder: the lock is the file `<path>.lock`. One that is left over from a crash is taken away after a minute.
 * Rejects with UNAVAILABLE when the lock is not to be had within `waitMs` (default 5 s).
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, waitMs = 5_000): Promise<T> {
  const lock = `${path}.lock`
  const token = randomBytes(16).toString('hex')
  const giveUpAt = Date.now() + waitMs
  while (!(await take(lock, token))) {
    await removeStale(lock, token)
    if (Date.now() > giveUpAt) throw new AppError('UNAVAILABLE', `${lock} is held by another process.`)
    await sleep(RETRY_INTERVAL_MS)
  }
  try {
    return await withDeadline('The work under a lock', WORK_DEADLINE_MS, work)
  } finally {
    const holder = await readFile(lock, 'utf8').catch(() => '')
    if (holder === token) await rm(lock, { force: true })
  }
}

async function take(lock: string, token: string): Promise<boolean> {
  try {
    await using file = await open(lock, 'wx', 0o600)
    await file.writeFile(token)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moves it away first: of two who find it stale, one may meet the other's new lock, and puts that back. */
async function removeStale(lock: string, token: string): Promise<void> {
  if (!(await isStale(lock))) return
  const moved = `${lock}.${token}`
  try {
    await rename(lock, moved)
    if (!(await isStale(moved))) await link(moved, lock)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST')))
      throw error
  } finally {
    await rm(moved, { force: true })
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < Date.now() - STALE_MS
  } catch {
    return false
  }
}
