import type { Redis } from 'ioredis'
import { z } from 'zod'
import { FEED_IDLE_MS, redisKeys } from '../../../schema/redis-keys.ts'
import { withDeadline } from '../../shared/deadline.ts'
import { AppError } from '../../shared/errors.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { APPEND_LUA, BEGIN_LUA, FINISH_LUA, READ_LUA } from './feed-sets-lua.ts'

/** Items that a feed, or the set of a target, keeps: the newest. */
export const MAX_FEED_ITEMS = 1_000

/** Members that one script call adds: it holds Redis for some milliseconds at most. */
const MAX_ADDED_PER_CALL = 5_000

const DEADLINE_MS = 5_000

/** How long filling a set may take; past it, it begins again. */
const BUILD_MS = 60_000

/** Keys to add to sets. */
export type FeedAppend = { readonly keys: readonly string[] } & (
  | { readonly userIds: readonly string[] }
  /** To the set of a target that many watch. */
  | { readonly wideTargetId: string }
)

/** What the sets say of a page. */
export interface FeedSetsAnswer {
  /** Print of the user's own set; empty when it needs no filling. */
  readonly print: string
  /** Print of the sets of wide targets. */
  readonly widePrint: string
  readonly wideTargetIds: readonly string[]
  /** Wide targets whose sets are to be filled. */
  readonly missingTargetIds: readonly string[]
  /** Keys of all sets, when none is to be filled: the newest of each. */
  readonly keys: readonly string[]
  /** Oldest keys of full sets: what is older may be missing. */
  readonly floors: readonly string[]
}

/** A set that is being filled. */
export interface FeedFilling {
  readonly key: string
  readonly print: string
}

/** The sets of the live Redis in which feeds are kept; what their scripts promise stands in feed-sets-lua.ts. */
export type FeedSets = ReturnType<typeof createFeedSets>

const readReply = z.tuple([
  z.string(),
  z.string(),
  z.array(z.string()),
  z.array(z.string()),
  z.array(z.string()),
  z.array(z.string()),
])

/** Creates the access to the sets. All calls reject with UNAVAILABLE when Redis does not answer, and are one round trip. */
export function createFeedSets({ redis, maxItems = MAX_FEED_ITEMS }: { redis: Redis; maxItems?: number }) {
  async function ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withDeadline('The feed', DEADLINE_MS, work)
    } catch (cause) {
      throw new AppError('UNAVAILABLE', 'The feed cannot be read now.', { cause })
    }
  }

  return {
    /** Items that a set keeps: the newest. */
    maxItems,

    /** Adds to sets that are there; false when what the caller knows is not of `version`: some may be added then. */
    async append(version: string, appends: readonly FeedAppend[]): Promise<boolean> {
      const pipeline = redis.pipeline()
      const shared = [redisKeys.watchVersion(), redisKeys.wideFeedTargets()]
      for (const append of appends) {
        const keys = append.keys.slice(-maxItems)
        const wideId = 'wideTargetId' in append ? append.wideTargetId : ''
        const sets =
          'wideTargetId' in append
            ? [redisKeys.feedOfTarget(append.wideTargetId)]
            : append.userIds.map(redisKeys.feedOfUser)
        const step = Math.max(1, Math.floor(MAX_ADDED_PER_CALL / keys.length))
        for (let from = 0; from < sets.length; from += step) {
          const some = [...shared, ...sets.slice(from, from + step)]
          pipeline.eval(APPEND_LUA, some.length, ...some, version, maxItems, wideId, newId(), ...keys)
        }
      }
      // Who knows of no watchers has to know it of this version, too.
      if (pipeline.length === 0) pipeline.eval(APPEND_LUA, 2, ...shared, version, maxItems, '', newId())
      const replies = (await ask(() => pipeline.exec())) ?? []
      for (const [error] of replies) if (error) throw error
      return replies.every(([, reply]) => reply === 1)
    },

    /** Reads the version, and the wide targets that go with it. */
    async readVersion(): Promise<{ version: string; wideTargetIds: ReadonlySet<string> }> {
      const transaction = redis
        .multi()
        // One of its own when it was lost, or what was known before it was would pass for new.
        .set(redisKeys.watchVersion(), newId(), 'NX')
        .get(redisKeys.watchVersion())
        .smembers(redisKeys.wideFeedTargets())
      const [, version, wide] = (await ask(() => transaction.exec())) ?? []
      return { version: String(version?.[1]), wideTargetIds: new Set(wide?.[1] as string[]) }
    },

    /** Reads up to `limit` of the newest keys of each set of a user that come behind `after`. */
    async read(
      userId: string,
      watches: readonly { readonly targetId: string; readonly id: string }[],
      { after, limit }: { readonly after: string | null; readonly limit: number },
    ): Promise<FeedSetsAnswer> {
      const keys = [redisKeys.feedOfUser(userId), redisKeys.wideFeedTargets()]
      const targets = watches.map(({ targetId, id }) => `${targetId} ${id}`).sort()
      const args = [
        after === null ? '+' : `(${after}`,
        ...[limit, maxItems, FEED_IDLE_MS, redisKeys.feedOfTarget('')],
        ...targets,
      ]
      const reply = await ask(() => redis.eval(READ_LUA, keys.length, ...keys, ...args))
      const [print, widePrint, wideTargetIds, missingTargetIds, members, floors] = readReply.parse(reply)
      return { print, widePrint, wideTargetIds, missingTargetIds, keys: members, floors }
    },

    /** Begins to fill a set, or joins who does. Answers the token to complete it with; null when it is complete. */
    async begin({ key, print }: FeedFilling): Promise<string | null> {
      const keys = [key, redisKeys.watchVersion()]
      const token = await ask(() =>
        redis.eval(BEGIN_LUA, keys.length, ...keys, print, newId(), newId(), BUILD_MS),
      )
      return token === '' ? null : String(token)
    },

    /** Completes a set that was begun with the token; leaves any other as it is. */
    async finish({ key, print }: FeedFilling, token: string, items: readonly string[]): Promise<void> {
      await ask(() => redis.eval(FINISH_LUA, 1, key, print, token, maxItems, FEED_IDLE_MS, ...items))
    },

    /** Drops the set of a user, and has everybody look anew who watches what. */
    async forget(userId: string): Promise<void> {
      const transaction = redis
        .multi()
        .del(redisKeys.feedOfUser(userId))
        .set(redisKeys.watchVersion(), newId())
      await ask(() => transaction.exec())
    },
  }
}
