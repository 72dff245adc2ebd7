import { redisKeys } from '../../../schema/redis-keys.ts'
import { AppError } from '../../shared/errors.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import { compareNewestFirst, type FeedKey, parseFeedKey, serializeFeedKey } from './feed-key.ts'
import { listNewestFeedKeys } from './feed-repository.ts'
import type { FeedFilling, FeedSets, FeedSetsAnswer } from './feed-sets.ts'
import type { Watch, WatchTarget } from './watch-repository.ts'

/** How often a page is tried while sets have to be filled. */
const MAX_ATTEMPTS = 5

/** Reads feeds. */
export interface FeedReader {
  /**
   * Answers up to `limit` keys of what the watches have brought, newest first, those behind the key `after`: one round trip
   * to Redis. Sets that are missing, of other watches or of another run of Redis are filled from the database first.
   * Rejects with UNAVAILABLE.
   */
  read(
    userId: string,
    watches: readonly Watch[],
    page: { readonly after: FeedKey | null; readonly limit: number },
  ): Promise<FeedKey[]>
}

/** Creates the reader of a process; who needs the same set filled at the same time waits for the same filling. */
export function createFeedReader({
  db,
  sets,
}: {
  db: Db
  sets: Pick<FeedSets, 'read' | 'begin' | 'finish' | 'maxItems'>
}): FeedReader {
  const fillings = new Map<string, Promise<void>>()

  async function fill(filling: FeedFilling, targets: readonly WatchTarget[]): Promise<void> {
    const id = `${filling.key} ${filling.print}`
    const running = fillings.get(id) ?? fillFromTables(filling, targets).finally(() => fillings.delete(id))
    fillings.set(id, running)
    await running
  }

  async function fillFromTables(filling: FeedFilling, targets: readonly WatchTarget[]): Promise<void> {
    const token = await sets.begin(filling)
    // Read after it has begun: what is committed later is added by who tells of it.
    if (token !== null)
      await sets.finish(filling, token, await listNewestFeedKeys(db, targets, sets.maxItems))
  }

  async function fillMissing(
    userId: string,
    watches: readonly Watch[],
    { print, widePrint, wideTargetIds, missingTargetIds }: FeedSetsAnswer,
  ): Promise<void> {
    if (print !== '') {
      const wide = new Set(wideTargetIds)
      const narrow = watches.filter(({ targetId }) => !wide.has(targetId))
      await fill({ key: redisKeys.feedOfUser(userId), print }, narrow)
    }
    for (const targetId of missingTargetIds) {
      const filling = { key: redisKeys.feedOfTarget(targetId), print: widePrint }
      await fill(
        filling,
        watches.filter(watch => watch.targetId === targetId),
      )
    }
  }

  return {
    async read(userId, watches, { after, limit }) {
      if (watches.length === 0) return []
      const page = { after: after === null ? null : serializeFeedKey(after), limit }
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const answer = await sets.read(userId, watches, page)
        if (answer.print === '' && answer.missingTargetIds.length === 0) return merge(answer, limit)
        await fillMissing(userId, watches, answer)
      }
      throw new AppError('UNAVAILABLE', 'The feed is being put together. Try again.')
    },
  }
}

/** Older than the oldest of a full set, some may be missing: there the feed ends. */
function merge({ keys, floors }: FeedSetsAnswer, limit: number): FeedKey[] {
  return [...new Set(keys)]
    .filter(key => floors.every(floor => key >= floor))
    .sort(compareNewestFirst)
    .slice(0, limit)
    .map(parseFeedKey)
}
