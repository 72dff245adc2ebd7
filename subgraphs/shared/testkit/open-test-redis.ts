import type { Redis } from 'ioredis'
import { inject } from 'vitest'
import { openRedis } from '../redis/open-redis.ts'
import { withRedisDatabase } from '../redis/redis-address.ts'

/** Counts up in database 0; the numbers from 1 on are handed out. */
const COUNTER_KEY = 'testkit:next-database'

/** As `--databases` of the shared servers; 0 is kept for the counter. */
const USABLE_DATABASES = 1_023

/**
 * Two Redis databases of its own for one test file, by number: keys are what the product writes, unprefixed. Pub/sub
 * channels and CLIENT LIST are the server's and seen by all files, so name channels by ids made in the test.
 */
export interface TestRedis {
  live: Redis
  ingest: Redis
  liveUrl: string
  ingestUrl: string
  /** The round trips that `live` and `ingest` made since the last clear, each with the names of its commands. */
  roundTrips: { live: string[][]; ingest: string[][] }
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens the next free database of both shared Redis servers, emptied. Dispose empties and closes them. */
export async function openTestRedis(): Promise<TestRedis> {
  const db = await allotDatabase()
  const liveUrl = withRedisDatabase(inject('liveRedisUrl'), db)
  const ingestUrl = withRedisDatabase(inject('ingestRedisUrl'), db)
  const roundTrips: TestRedis['roundTrips'] = { live: [], ingest: [] }
  const live = openRedis({
    url: liveUrl,
    name: 'test-live',
    onRoundTrip: names => roundTrips.live.push([...names]),
  })
  const ingest = openRedis({
    url: ingestUrl,
    name: 'test-ingest',
    onRoundTrip: names => roundTrips.ingest.push([...names]),
  })
  const flush = () => Promise.all([live.redis.flushdb(), ingest.redis.flushdb()])
  await flush()
  roundTrips.live.length = 0
  roundTrips.ingest.length = 0
  return {
    live: live.redis,
    ingest: ingest.redis,
    liveUrl,
    ingestUrl,
    roundTrips,
    async [Symbol.asyncDispose]() {
      await flush()
      await Promise.all([live[Symbol.asyncDispose](), ingest[Symbol.asyncDispose]()])
    },
  }
}

async function allotDatabase(): Promise<number> {
  await using client = openRedis({ url: inject('liveRedisUrl'), name: 'test-allot' })
  const count = await client.redis.incr(COUNTER_KEY)
  return 1 + ((count - 1) % USABLE_DATABASES)
}
