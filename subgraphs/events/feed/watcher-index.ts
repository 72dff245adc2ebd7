import { createBatchedCache } from '../../shared/loader/batched-cache.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { FeedSets } from './feed-sets.ts'
import { findWatchers } from './watch-repository.ts'

/** Watchers of one target from which on its news are kept once, for all of them to read. */
export const MAX_WATCHERS_WRITTEN_TO = 200

/** Targets and watchers that are remembered, and how long when nobody says that they have changed. */
const MAX_ENTRIES = 200_000
const MAX_AGE_MS = 60_000

/** Who watches what, as a process knows it. */
export interface WatcherIndex {
  /** Of which version what it tells is; undefined before the first `renew`. */
  readonly version: string | undefined
  /** Who watches the targets, by target: ids of users, or `wide`; those that nobody watches are missing. */
  watchersOf(targetIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[] | 'wide'>>
  /** Forgets everything, and what is told from now on is of the version of now. */
  renew(): Promise<void>
}

/**
 * Creates the index of a process: what it has looked up, in one statement for up to 500 targets, it remembers until it is
 * renewed. A target that was wide stays so as long as Redis remembers it.
 */
export function createWatcherIndex({
  db,
  sets,
  maxWatchers = MAX_WATCHERS_WRITTEN_TO,
}: {
  db: Db
  sets: Pick<FeedSets, 'readVersion'>
  maxWatchers?: number
}): WatcherIndex {
  let known: Awaited<ReturnType<FeedSets['readVersion']>> | undefined
  const cache = createBatchedCache<readonly string[] | 'wide'>({
    name: 'The lookup of watchers',
    maxEntries: MAX_ENTRIES,
    maxAgeMs: MAX_AGE_MS,
    maxAbsentAgeMs: MAX_AGE_MS,
    sizeOf: watchers => (watchers === 'wide' ? 1 : 1 + watchers.length),
    load: targetIds => findWatchers(db, targetIds, maxWatchers),
  })

  return {
    get version() {
      return known?.version
    },
    async watchersOf(targetIds) {
      const found = new Map<string, readonly string[] | 'wide'>()
      await Promise.all(
        targetIds.map(async id => {
          const watchers = known?.wideTargetIds.has(id) ? 'wide' : await cache.get(id)
          if (watchers !== null) found.set(id, watchers)
        }),
      )
      return found
    },
    async renew() {
      // Before anything is looked up, so that it is of this version at least.
      known = await sets.readVersion()
      cache.flush()
    },
  }
}
