import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, describe, expect, it } from 'vitest'
import { openRedis } from '../redis/open-redis.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { startMariaDb } from './mariadb.ts'
import { startRedis } from './redis.ts'

const FIXTURE = new URL('./fixtures/start-servers.ts', import.meta.url).pathname

interface Started {
  mariaDb: number
  redis: number
  mysqlUrl: string
  redisUrl: string
}

const dirs: string[] = []

afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
})

async function startParent(): Promise<{ parent: ChildProcess; servers: Started; dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'nv-'))
  dirs.push(dir)
  const parent = spawn(process.execPath, [FIXTURE, dir], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await Promise.race([once(parent.stdout, 'data'), once(parent.stdout, 'close')])
  return { parent, servers: JSON.parse(String(line)), dir }
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
}

describe('embedded servers whose parent ends', () => {
  it('end with it when it exits normally', async () => {
    const { parent, servers } = await startParent()
    expect(isRunning(servers.mariaDb) && isRunning(servers.redis)).toBe(true)
    parent.stdin?.end()
    expect(await once(parent, 'exit')).toEqual([0, null])
    await waitFor(() => !isRunning(servers.mariaDb) && !isRunning(servers.redis), { deadlineMs: 10_000 })
  })

  it('are in a process group of their own, out of reach of the terminal', async () => {
    const { parent, servers } = await startParent()
    const groupOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]
    expect(groupOf(servers.mariaDb)).toBe(String(servers.mariaDb))
    expect(groupOf(servers.redis)).toBe(String(servers.redis))
    parent.stdin?.end()
    await once(parent, 'exit')
  })

  it('are started again with everything that was acknowledged after kill -9 of parent and servers', async () => {
    const { parent, servers, dir } = await startParent()
    const connection = await createConnection(servers.mysqlUrl)
    connection.on('error', () => {})
    await connection.query('CREATE TABLE kept (id INT PRIMARY KEY)')
    await connection.query('INSERT INTO kept VALUES (7)')
    const before = openRedis({ url: servers.redisUrl, name: 'test' })
    await before.redis.set('kept', 'yes')
    for (const pid of [parent.pid ?? 0, servers.mariaDb, servers.redis]) process.kill(pid, 'SIGKILL')
    connection.destroy()
    await before[Symbol.asyncDispose]()

    await using mariaDb = await startMariaDb({ dataDir: join(dir, 'mariadb') })
    await using redis = await startRedis({
      dataDir: join(dir, 'ingest'),
      name: 'ingest',
      appendfsync: 'always',
    })
    const again = await createConnection(mariaDb.url)
    expect((await again.query('SELECT id FROM kept'))[0]).toEqual([{ id: 7 }])
    await again.end()
    await using after = openRedis({ url: redis.url, name: 'test' })
    expect(await after.redis.get('kept')).toBe('yes')
  })

  it('are ended by the next start when they outlived a killed parent and hang', async () => {
    const { parent, servers, dir } = await startParent()
    process.kill(servers.mariaDb, 'SIGSTOP')
    process.kill(servers.redis, 'SIGSTOP')
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    const said: string[] = []
    const log = (message: string) => said.push(message)
    const deadlineMs = 2_000
    await using mariaDb = await startMariaDb({ dataDir: join(dir, 'mariadb'), log, deadlineMs })
    await using redis = await startRedis({
      dataDir: join(dir, 'ingest'),
      name: 'ingest',
      appendfsync: 'always',
      log,
      deadlineMs,
    })
    expect(said.join()).toContain(`process ${servers.mariaDb}`)
    expect(said.join()).toContain(`process ${servers.redis}`)
    expect(isRunning(servers.mariaDb) || isRunning(servers.redis)).toBe(false)
    expect(mariaDb.pid).not.toBe(servers.mariaDb)
    expect(redis.pid).not.toBe(servers.redis)
  })

  it('are left alone while their parent lives: a second start on their folder is refused', async () => {
    const { parent, servers, dir } = await startParent()
    await expect(startMariaDb({ dataDir: join(dir, 'mariadb') })).rejects.toThrow(
      `Another NUVION (process ${parent.pid}) is already running on this data folder`,
    )
    const second = startRedis({ dataDir: join(dir, 'ingest'), name: 'ingest', appendfsync: 'always' })
    await expect(second).rejects.toThrow('already running on this data folder')
    expect(isRunning(servers.mariaDb) && isRunning(servers.redis)).toBe(true)
    parent.stdin?.end()
    await once(parent, 'exit')
  })
})
