import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRedis } from '../redis/open-redis.ts'
import { type RedisServerOptions, startRedis } from './redis.ts'
import { findServerBinary, getServerBinary } from './server-binary.ts'
import type { ServerDeath } from './server-process.ts'

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'nv-'))
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

const options = (name: string): RedisServerOptions => ({
  dataDir: join(dir, name),
  name,
  appendfsync: 'always',
})

describe('embedded Redis', () => {
  it('keeps its data over a restart and drops only a torn last record of its file', async () => {
    {
      await using server = await startRedis(options('torn'))
      await using client = openRedis({ url: server.url, name: 'test' })
      await client.redis.set('kept', 'yes')
    }
    const files = join(dir, 'torn', 'appendonlydir')
    const increment = readdirSync(files).find(name => name.endsWith('.incr.aof'))
    appendFileSync(join(files, increment ?? ''), '*3\r\n$3\r\nSET\r\n$4\r\nto')
    await using server = await startRedis(options('torn'))
    await using client = openRedis({ url: server.url, name: 'test' })
    expect(await client.redis.get('kept')).toBe('yes')
    expect(await client.redis.config('GET', 'appendfsync')).toEqual(['appendfsync', 'always'])
  })

  it('refuses writes at its memory bound and evicts nothing', async () => {
    await using server = await startRedis({ ...options('full'), maxMemory: '3mb' })
    await using client = openRedis({ url: server.url, name: 'test' })
    await client.redis.set('first', 'x'.repeat(100_000))
    const fill = async () => {
      for (let i = 0; i < 100; i++) await client.redis.set(`key:${i}`, 'x'.repeat(100_000))
    }
    await expect(fill()).rejects.toThrow('OOM')
    expect(await client.redis.exists('first')).toBe(1)
  })

  it('reports a death that nobody asked for', async () => {
    const died = Promise.withResolvers<ServerDeath>()
    await using server = await startRedis({ ...options('dying'), onDeath: died.resolve })
    process.kill(server.pid, 'SIGKILL')
    expect(await died.promise).toMatchObject({ name: 'Redis (dying)', signal: 'SIGKILL' })
  })

  it('says what to install when a server program is missing', () => {
    expect(findServerBinary(['redis-server'], '/nowhere', [])).toBeUndefined()
    expect(() => getServerBinary('mariadbd-that-is-nowhere')).toThrow(
      /apt-get install .*DATABASE_URL.*REDIS_INGEST_URL/,
    )
  })
})
