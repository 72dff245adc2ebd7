import { describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { openRedis } from '../../subgraphs/shared/redis/open-redis.ts'
import { openTestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { createIngestLogGuard } from './ingest-log-guard.ts'

const logger = createLogger({ level: 'silent', role: 'test' })
const ENTRY_BYTES = 10_000

describe('the guard of the ingest log', () => {
  it('is high from the bound on and low again only below 90 % of it, in one round trip per sample', async () => {
    await using redis = await openTestRedis()
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using guard = createIngestLogGuard({
      ...{ redis: redis.ingest, logger, metrics, maxBytes: 100 * ENTRY_BYTES, intervalMs: 3_600_000 },
    })
    const changes: boolean[] = []
    guard.onChange(isHigh => changes.push(isHigh))
    const grow = async (entries: number) => {
      for (let i = 0; i < entries; i++)
        await redis.ingest.xadd(redisKeys.ingestLog(i % SHARD_COUNT), '*', 'v', 'x'.repeat(ENTRY_BYTES))
    }
    const shrinkTo = async (perShard: number) => {
      for (let shard = 0; shard < SHARD_COUNT; shard++)
        await redis.ingest.xtrim(redisKeys.ingestLog(shard), 'MAXLEN', '=', perShard)
    }
    const measuredBytes = async () => {
      let bytes = 0
      for (let shard = 0; shard < SHARD_COUNT; shard++)
        bytes += Number((await redis.ingest.memory('USAGE', redisKeys.ingestLog(shard))) ?? 0)
      return bytes
    }
    await guard.sample()
    await grow(40)
    await guard.sample()
    expect(guard.isHigh).toBe(false)
    await grow(80)
    redis.roundTrips.ingest.length = 0
    await guard.sample()
    expect(redis.roundTrips.ingest).toHaveLength(1)
    expect(guard.isHigh).toBe(true)
    await shrinkTo(1)
    while ((await measuredBytes()) < 93 * ENTRY_BYTES) await grow(1)
    expect(await measuredBytes()).toBeLessThan(100 * ENTRY_BYTES)
    await guard.sample()
    expect(guard.isHigh).toBe(true)
    await shrinkTo(5)
    await guard.sample()
    expect(guard.isHigh).toBe(false)
    const gauge = await metrics.getSingleMetric('nuvion_ingest_log_bytes')?.get()
    expect(gauge?.values[0]?.value).toBe(await measuredBytes())
    expect(changes).toEqual([true, false])
  })

  it('is high while the log cannot be measured', async () => {
    await using redis = await openTestRedis()
    await using client = openRedis({ url: redis.ingestUrl, name: 'test-guard' })
    await using guard = createIngestLogGuard({
      ...{ redis: client.redis, logger, metrics: createMetrics({ group: 'test', withDefaults: false }) },
      intervalMs: 3_600_000,
    })
    await guard.sample()
    expect(guard.isHigh).toBe(false)
    client.redis.disconnect()
    await guard.sample()
    expect(guard.isHigh).toBe(true)
    await client.redis.connect()
    await guard.sample()
    expect(guard.isHigh).toBe(false)
  })

  it('samples by itself', async () => {
    await using redis = await openTestRedis()
    await redis.ingest.xadd(redisKeys.ingestLog(0), '*', 'v', 'x')
    const metrics = createMetrics({ group: 'test', withDefaults: false })
    await using guard = createIngestLogGuard({
      ...{ redis: redis.ingest, logger, metrics, maxBytes: 1, intervalMs: 50 },
    })
    await waitFor(() => guard.isHigh)
  })
})
