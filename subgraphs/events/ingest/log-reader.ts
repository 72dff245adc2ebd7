import { redisKeys } from '../../../schema/redis-keys.ts'
import type { Closable } from '../../shared/lifecycle.ts'
import { openRedis } from '../../shared/redis/open-redis.ts'

/** One entry of a shard of the ingest log, not yet decoded. */
export interface LogEntry {
  readonly shard: number
  readonly id: string
  /** JSON of its items. */
  readonly text: string
}

/** Reads the shards of the ingest log over one connection of its own. */
export interface LogReader extends Closable {
  /**
   * Reads at most `count` entries of each shard after the given ids; waits up to READ_BLOCK_MS when there are none.
   * Entries of a shard come in order. Rejects when the ingest log cannot be reached.
   */
  read(shards: readonly { shard: number; lastId: string }[], count: number): Promise<LogEntry[]>
}

/** The longest wait of a read; also how late a newly taken shard may join it. */
export const READ_BLOCK_MS = 500

type StreamEntry = [id: string, fields: string[]]

/** Opens the connection that waits for new entries. */
export function openLogReader({ url }: { url: string }): LogReader {
  const client = openRedis({
    url,
    name: 'ingest-log-reader',
    maxBlockMs: READ_BLOCK_MS,
    commandTimeoutMs: 2_000,
  })
  return {
    async read(shards, count) {
      const keys = shards.map(({ shard }) => redisKeys.ingestLog(shard))
      const shardOfKey = new Map(keys.map((key, index) => [key, shards[index]?.shard ?? 0]))
      const reply = (await client.redis.call(
        'XREAD',
        'COUNT',
        count,
        'BLOCK',
        READ_BLOCK_MS,
        'STREAMS',
        ...keys,
        ...shards.map(({ lastId }) => lastId),
      )) as (string | StreamEntry[])[] | null
      const entries: LogEntry[] = []
      for (let i = 0; reply !== null && i < reply.length; i += 2) {
        const shard = shardOfKey.get(reply[i] as string) ?? 0
        for (const entry of reply[i + 1] as StreamEntry[]) entries.push(toLogEntry(shard, entry))
      }
      return entries
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

/** Makes a LogEntry of what XREAD and XRANGE answer. */
export function toLogEntry(shard: number, [id, fields]: StreamEntry): LogEntry {
  const at = fields.indexOf('v')
  return { shard, id, text: at === -1 ? '' : (fields[at + 1] ?? '') }
}
