import { SHARD_COUNT } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { openRedis } from '../../../subgraphs/shared/redis/open-redis.ts'

/** What the ingest log holds: bytes as Redis estimates them, and entries that are not written and published yet. */
export interface IngestLogSize {
  readonly bytes: number
  readonly entries: number
}

/** Measures the ingest log in its Redis. */
export async function measureIngestLog(url: string): Promise<IngestLogSize> {
  await using client = openRedis({ url, name: 'test-ingest-log' })
  let bytes = 0
  let entries = 0
  for (let shard = 0; shard < SHARD_COUNT; shard++) {
    const key = redisKeys.ingestLog(shard)
    bytes += Number((await client.redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0)
    entries += await client.redis.xlen(key)
  }
  return { bytes, entries }
}
