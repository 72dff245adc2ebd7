import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

let dir: string
let lock: string
let said: string
const out = { write: (text: string) => (said += text) }

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'nuvion-setup-'))
  lock = join(dir, 'state', 'setup.lock')
  said = ''
})

afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const writeLock = (owner: { pid: number; host: string }) => {
  mkdirSync(lock, { recursive: true })
  writeFileSync(join(lock, 'owner.json'), JSON.stringify({ ...owner, token: 'other' }))
}

describe('the setup lock', () => {
  it('lets one work at a time, says that the other waits, and leaves nothing behind', async () => {
    let working = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++working)
      await new Promise(resolve => setImmediate(resolve))
      working--
    }
    await Promise.all([
      withLock(lock, work, { out }),
      withLock(lock, work, { out }),
      withLock(lock, work, { out }),
    ])
    expect(most).toBe(1)
    expect(said).toContain(`waiting for another setup (process ${process.pid})`)
    expect(existsSync(lock)).toBe(false)
  })

  it('is freed when the work fails', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
    expect(await withLock(lock, async () => 'again', { out })).toBe('again')
    expect(said).toBe('')
  })

  it('is taken at once from a process of this machine that was killed', async () => {
    const script = `import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)}
      await withLock(${JSON.stringify(lock)}, () => new Promise(() => { console.log('locked'); setInterval(() => {}, 1000) }))`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(owner.stdout, 'data')
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(existsSync(lock)).toBe(true)
    expect(await withLock(lock, async () => 'mine', { out })).toBe('mine')
    expect(said).toBe('')
  })

  it('is taken from another machine only when that has stopped touching it', async () => {
    writeLock({ pid: 1, host: `not-${hostname()}` })
    await expect(withLock(lock, async () => {}, { out, deadlineMs: 50 })).rejects.toThrow(`holds ${lock}`)
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(lock, longAgo, longAgo)
    expect(await withLock(lock, async () => 'mine', { out })).toBe('mine')
  })
})
