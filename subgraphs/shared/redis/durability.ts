import type { Redis } from 'ioredis'

/** Settings without which an acknowledged write may be lost, and the sentence for each that is otherwise. */
const NEEDED = [
  ['appendonly', 'yes', 'writes are not kept on disk at all'],
  ['appendfsync', 'always', 'a power failure may lose the newest writes'],
  ['maxmemory-policy', 'noeviction', 'a full memory may throw entries away'],
] as const

/**
 * Lists what keeps a Redis from being durable, one sentence each; empty when a write that it has acknowledged is on
 * disk and stays there. A server that does not show its settings (CONFIG is often refused on hosted ones) is one gap.
 */
export async function listDurabilityGaps(redis: Redis): Promise<string[]> {
  let settings: unknown
  try {
    settings = await redis.call('CONFIG', 'GET', ...NEEDED.map(([name]) => name))
  } catch (error) {
    return [`its settings cannot be read: ${error instanceof Error ? error.message : error}`]
  }
  const found = toMap(settings)
  return NEEDED.flatMap(([name, needed, consequence]) => {
    const actual = found.get(name)
    return actual === needed ? [] : [`${name} is ${actual}, not ${needed}: ${consequence}`]
  })
}

/** RESP2 answers a flat list of names and values; RESP3 a map, which ioredis hands over as an object or a list. */
function toMap(settings: unknown): Map<string, string> {
  if (settings instanceof Map) return settings
  if (!Array.isArray(settings)) return new Map(Object.entries(settings ?? {}))
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < settings.length; i += 2) pairs.push([String(settings[i]), String(settings[i + 1])])
  return new Map(pairs)
}
