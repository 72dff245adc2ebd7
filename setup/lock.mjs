import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from './setup-error.mjs'

const HEARTBEAT_MS = 1_000

/** A lock whose owner has not touched it for this long is stale, wherever that owner ran. */
const STALE_MS = 15_000

const RETRY_MS = 100

/** An npm install and a package installation behind one another. */
const DEADLINE_MS = 40 * 60_000

/**
 * Runs `work` while holding the lock folder `dir`, waiting for whoever holds it. A folder, because mkdir is atomic.
 * Its owner touches it every second; it is stale when that stops for 15 s, and at once when its process on this
 * machine has ended.
 */
export async function withLock(
  dir,
  work,
  { staleMs = STALE_MS, deadlineMs = DEADLINE_MS, out = process.stderr } = {},
) {
  const token = randomUUID()
  mkdirSync(dirname(dir), { recursive: true, mode: 0o700 })
  const giveUpAt = Date.now() + deadlineMs
  let hasSaidSo = false
  while (!take(dir, token)) {
    const owner = readOwner(dir)
    if (isStale(dir, owner, staleMs)) removeIfOwnedBy(dir, owner?.token)
    else {
      if (!hasSaidSo) out.write(`setup: waiting for another setup (process ${owner?.pid ?? 'unknown'}) …\n`)
      hasSaidSo = true
      if (Date.now() > giveUpAt)
        throw new SetupError(`Another setup holds ${dir}. If none is running, delete it.`)
      await sleep(RETRY_MS)
    }
  }
  const release = () => removeIfOwnedBy(dir, token)
  const heartbeat = setInterval(() => touch(dir), HEARTBEAT_MS)
  process.on('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    process.off('exit', release)
    release()
  }
}

function take(dir, token) {
  try {
    mkdirSync(dir)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(dir, 'owner.json'), JSON.stringify({ pid: process.pid, host: hostname(), token }))
  return true
}

function readOwner(dir) {
  try {
    return JSON.parse(readFileSync(join(dir, 'owner.json'), 'utf8'))
  } catch {
    return undefined
  }
}

function isStale(dir, owner, staleMs) {
  if (owner?.host === hostname() && !isRunning(owner.pid)) return true
  try {
    return Date.now() - statSync(dir).mtimeMs > staleMs
  } catch {
    return false
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Moves the lock aside before looking at it again: of several that found it stale, one gets it. */
function removeIfOwnedBy(dir, token) {
  const aside = `${dir}.${randomUUID()}`
  try {
    if (readOwner(dir)?.token !== token) return
    renameSync(dir, aside)
  } catch {
    return
  }
  if (readOwner(aside)?.token === token) rmSync(aside, { recursive: true, force: true })
  else renameSync(aside, dir)
}

function touch(dir) {
  try {
    const now = new Date()
    utimesSync(dir, now, now)
  } catch {
    // Taken over or deleted by hand: the work goes on, and there is nothing left to keep alive.
  }
}
