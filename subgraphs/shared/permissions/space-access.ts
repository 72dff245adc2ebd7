import { createBatchedCache } from '../loader/batched-cache.ts'
import type { Db } from '../mysql/open-mysql.ts'
import type { Role, SpaceAccess } from '../space-access.ts'
import { isUuidV7 } from '../uuid-v7.ts'
import { findMemberships } from './membership-repository.ts'

/** Roles out of a cache, with the way to forget them. */
export interface CachedSpaceAccess extends SpaceAccess {
  /** Forgets the roles of a user, in a space, of a user in a space, or all, when they may have changed. */
  flush(userId?: string, spaceId?: string): void
}

/**
 * Creates the lookup of roles of a process: remembers `maxEntries` (default 10,000) for `maxAgeMs` (default 30 s), and
 * for 5 s that somebody is no member. Those asked for in one tick are looked up in one statement. An id that is no
 * UUIDv7 has no role and costs no statement.
 */
export function createSpaceAccess({
  db,
  maxEntries = 10_000,
  maxAgeMs = 30_000,
}: {
  db: Db
  maxEntries?: number
  maxAgeMs?: number
}): CachedSpaceAccess {
  const roles = createBatchedCache<Role>({
    name: 'The lookup of roles',
    maxEntries,
    maxAgeMs,
    async load(keys) {
      const rows = await findMemberships(db, keys.map(parseKey))
      return new Map(rows.map(row => [toKey(row.userId, row.spaceId), row.role]))
    },
  })
  return {
    async roleOf(userId, spaceId) {
      return isUuidV7(userId) && isUuidV7(spaceId) ? roles.get(toKey(userId, spaceId)) : null
    },
    flush(userId, spaceId) {
      roles.flush(key => {
        const parsed = parseKey(key)
        return (
          (userId === undefined || parsed.userId === userId) &&
          (spaceId === undefined || parsed.spaceId === spaceId)
        )
      })
    },
  }
}

function toKey(userId: string, spaceId: string): string {
  return `${userId}:${spaceId}`
}

function parseKey(key: string): { userId: string; spaceId: string } {
  const [userId = '', spaceId = ''] = key.split(':')
  return { userId, spaceId }
}
