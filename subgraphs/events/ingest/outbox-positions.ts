import type { Redis } from 'ioredis'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'

const DEADLINE_MS = 5_000

/** Up to where a listener has been told of each shard's committed items, kept in the ingest Redis. */
export interface OutboxPositions {
  /** Reads the positions of shards; one that has none begins at its `lastId`, which is kept at once. */
  open(shards: readonly { shard: number; lastId: string }[]): Promise<ReadonlyMap<number, string>>
  save(positions: ReadonlyMap<number, string>): Promise<void>
}

/** Creates the access to the positions of a listener. */
export function createOutboxPositions({
  redis,
  listener,
}: {
  redis: Redis
  listener: string
}): OutboxPositions {
  return {
    async open(shards) {
      if (shards.length === 0) return new Map()
      const keys = shards.map(({ shard }) => redisKeys.outboxPosition(listener, shard))
      return await withDeadline('Reading outbox positions', DEADLINE_MS, async () => {
        const pipeline = redis.pipeline()
        for (const [index, { lastId }] of shards.entries()) pipeline.set(keys[index] ?? '', lastId, 'NX')
        pipeline.mget(keys)
        const results = (await pipeline.exec()) ?? []
        const failed = results.find(([error]) => error !== null)
        if (failed?.[0]) throw failed[0]
        const values = results.at(-1)?.[1] as (string | null)[]
        return new Map(shards.map(({ shard, lastId }, index) => [shard, values[index] ?? lastId]))
      })
    },
    async save(positions) {
      if (positions.size === 0) return
      const pairs = Array.from(positions, ([shard, id]) => [
        redisKeys.outboxPosition(listener, shard),
        id,
      ]).flat()
      await withDeadline('Keeping outbox positions', DEADLINE_MS, () => redis.mset(pairs))
    },
  }
}
