import { line, process } from '../../schema/mysql/device-tables.ts'
import { inArray } from '../../schema/mysql/drizzle.ts'
import { createBatchedCache } from '../shared/loader/batched-cache.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'

/** Tells the space of each line, and of each process. It never changes, and outlives their removal. */
export interface PlaceSpaces {
  /** By id; what does not exist is missing. */
  ofLines(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  ofProcesses(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Ids of lines and of processes that are remembered, each; a few megabytes. */
const MAX_REMEMBERED = 20_000
const MAX_AGE_MS = 10 * 60_000

/** Creates the lookup, which remembers what it has read: one statement for all that are asked for in one tick. */
export function createPlaceSpaces(db: Db): PlaceSpaces {
  const [lines, processes] = [line, process].map(table =>
    createBatchedCache<string>({
      name: 'The lookup of places',
      async load(ids) {
        const rows = await db
          .select({ id: table.id, spaceId: table.spaceId })
          .from(table)
          .where(inArray(table.id, [...ids]))
        return new Map(rows.map(row => [row.id, row.spaceId]))
      },
      maxEntries: MAX_REMEMBERED,
      maxAgeMs: MAX_AGE_MS,
    }),
  )
  return { ofLines: ids => getAll(lines, ids), ofProcesses: ids => getAll(processes, ids) }
}

async function getAll(
  cache: ReturnType<typeof createBatchedCache<string>> | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const spaces = await Promise.all(ids.map(async id => [id, (await cache?.get(id)) ?? null] as const))
  return new Map(spaces.flatMap(([id, spaceId]) => (spaceId === null ? [] : [[id, spaceId] as const])))
}
