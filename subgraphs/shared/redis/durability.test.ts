import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startRedis } from '../embedded/redis.ts'
import { listDurabilityGaps } from './durability.ts'
import { openRedis } from './open-redis.ts'

async function gapsOf(appendfsync: 'always' | 'everysec', ...commands: string[][]): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nuvion-durability-'))
  try {
    await using server = await startRedis({ dataDir, name: 'own', appendfsync })
    await using client = openRedis({ url: server.url, name: 'test' })
    for (const [name = '', ...args] of commands) await client.redis.call(name, ...args)
    return await listDurabilityGaps(client.redis)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

it('finds nothing to say of the embedded ingest log', async () => {
  expect(await gapsOf('always')).toEqual([])
})

it('names each setting that puts receipted messages at risk', async () => {
  const set = (name: string, value: string) => ['CONFIG', 'SET', name, value]
  expect(await gapsOf('everysec', set('appendonly', 'no'), set('maxmemory-policy', 'allkeys-lru'))).toEqual([
    'appendonly is no, not yes: writes are not kept on disk at all',
    'appendfsync is everysec, not always: a power failure may lose the newest writes',
    'maxmemory-policy is allkeys-lru, not noeviction: a full memory may throw entries away',
  ])
})

it('says so when the settings cannot be read', async () => {
  const gaps = await gapsOf('always', ['ACL', 'SETUSER', 'default', '-config'])
  expect(gaps).toHaveLength(1)
  expect(gaps[0]).toMatch(/^its settings cannot be read: NOPERM/)
})
