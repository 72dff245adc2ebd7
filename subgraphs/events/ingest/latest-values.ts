import type { Redis } from 'ioredis'
import type { ConnectivityItem, StateItem } from '../../../schema/ingest-entry.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'

/** Keys that one script call sets; a call of this size holds Redis for about a millisecond. */
const MAX_KEYS_PER_CALL = 500

/**
 * KEYS: values `<epochMs>|<json>`. ARGV: pairs of epochMs and json. Sets each that is not older than what is there;
 * answers 1 for each that it set, else 0. The same report again counts as newer: it may have been set and not published.
 */
const SET_IF_NEWER_LUA = `
local taken = {}
for i, key in ipairs(KEYS) do
  local at = ARGV[2 * i - 1]
  local old = redis.call('GET', key)
  local bar = old and string.find(old, '|', 1, true)
  local oldAt = bar and tonumber(string.sub(old, 1, bar - 1))
  if not oldAt or oldAt <= tonumber(at) then
    redis.call('SET', key, at .. '|' .. ARGV[2 * i])
    taken[i] = 1
  else
    taken[i] = 0
  end
end
return taken
`

/** What a device's state is kept as, in Redis and in MySQL. */
export function stateJson({ status, metrics }: StateItem): string {
  return JSON.stringify({ status, metrics: metrics ?? null })
}

/** What a device's connectivity is kept as, in Redis and in MySQL. */
export function connectivityJson({ network, signal, latencyMs }: ConnectivityItem): string {
  return JSON.stringify({ network, signal: signal ?? null, latencyMs: latencyMs ?? null })
}

/**
 * Keeps the newest state and connectivity of devices in the live Redis: last write wins by the time of the report, so
 * that an offline buffer never overwrites newer state. Returns the reports that were taken, in order.
 */
export async function setLatestValues(
  redis: Redis,
  items: readonly (StateItem | ConnectivityItem)[],
): Promise<(StateItem | ConnectivityItem)[]> {
  const taken: (StateItem | ConnectivityItem)[] = []
  for (let from = 0; from < items.length; from += MAX_KEYS_PER_CALL) {
    const part = items.slice(from, from + MAX_KEYS_PER_CALL)
    const flags = (await redis.eval(
      SET_IF_NEWER_LUA,
      part.length,
      ...part.map(item =>
        item.kind === 'state'
          ? redisKeys.deviceState(item.deviceId)
          : redisKeys.deviceConnectivity(item.deviceId),
      ),
      ...part.flatMap(item => [item.at, item.kind === 'state' ? stateJson(item) : connectivityJson(item)]),
    )) as number[]
    taken.push(...part.filter((_, index) => flags[index] === 1))
  }
  return taken
}
