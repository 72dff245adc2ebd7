import type { Redis } from 'ioredis'
import { shardOf } from '../../schema/ingest-entry.ts'
import { redisKeys } from '../../schema/redis-keys.ts'

/** A letter as it lies in the stream. */
export interface StoredLetter {
  /** Id of its entry, as Redis makes them: `1764547200000-0`. */
  readonly id: string
  readonly reason: string
  /** JSON of an item, or the text of what is none. */
  readonly text: string
}

/** What became of a letter that was to be replayed. */
export type ReplayOutcome =
  | 'replayed'
  /** It is not there: replayed, dropped or trimmed before. */
  | 'missing'
  /** It names no device, so it has no shard to go to. */
  | 'not an item'

type Entry = [id: string, fields: string[]]

/** Lists up to `limit` letters that are older than `before`, newest first. */
export async function listLetters(
  redis: Redis,
  { before, limit }: { before: string | null; limit: number },
): Promise<StoredLetter[]> {
  const end = before === null ? '+' : `(${before}`
  const entries = await redis.xrevrange(redisKeys.deadLetters(), end, '-', 'COUNT', limit)
  return entries.map(toLetter)
}

/** Lists up to `limit` letters behind `after` and not behind `last`, oldest first. */
export async function listLettersBetween(
  redis: Redis,
  { after, last, limit }: { after: string; last: string; limit: number },
): Promise<StoredLetter[]> {
  return (await redis.xrange(redisKeys.deadLetters(), `(${after}`, last, 'COUNT', limit)).map(toLetter)
}

/** Finds a letter. */
export async function findLetter(redis: Redis, id: string): Promise<StoredLetter | null> {
  const [entry] = await redis.xrange(redisKeys.deadLetters(), id, id)
  return entry === undefined ? null : toLetter(entry)
}

/** Counts the letters. */
export async function countLetters(redis: Redis): Promise<number> {
  return await redis.xlen(redisKeys.deadLetters())
}

/** Appended before it is taken out: if the log takes no more, the script ends there and nothing has changed. */
const REPLAY = `
if #redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 'v', ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[1])
return 1`

/**
 * Appends the item of a letter to its shard's ingest log and takes the letter out, in one step of Redis: whatever crashes,
 * and however many do it at once, it is in one of the two. When the answer is lost it may be in either; asking again is safe.
 */
export async function replayLetter(redis: Redis, { id, text }: StoredLetter): Promise<ReplayOutcome> {
  const deviceId = readDeviceId(text)
  if (deviceId === null) return 'not an item'
  const log = redisKeys.ingestLog(shardOf(deviceId))
  const replayed = await redis.eval(REPLAY, 2, redisKeys.deadLetters(), log, id, `[${text}]`)
  return replayed === 1 ? 'replayed' : 'missing'
}

/** Takes letters out for good. Answers how many were there. */
export async function dropLetters(redis: Redis, ids: readonly string[]): Promise<number> {
  return ids.length === 0 ? 0 : await redis.xdel(redisKeys.deadLetters(), ...ids)
}

function toLetter([id, fields]: Entry): StoredLetter {
  const fieldOf = (name: string) => fields[fields.findIndex((field, i) => i % 2 === 0 && field === name) + 1]
  return { id, reason: fieldOf('reason') ?? '', text: fieldOf('v') ?? '' }
}

/** Ingest looks at the rest of it. */
function readDeviceId(text: string): string | null {
  const item = readItem(text)
  return typeof item?.deviceId === 'string' ? item.deviceId : null
}

/** Reads the JSON object of a letter; null when its text is none. */
export function readItem(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
