import type { UserViewer } from '../../shared/auth/viewer.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { SpaceAccess } from '../../shared/space-access.ts'
import { isUuidV7, newId } from '../../shared/uuid-v7.ts'
import type { FeedSets } from './feed-sets.ts'
import {
  deleteForeignWatches,
  deleteWatch,
  findWatch,
  findWatchTarget,
  insertWatch,
  listWatches,
  type Watch,
  type WatchKind,
  type WatchTarget,
} from './watch-repository.ts'

/** Watches that a person may have. */
export const MAX_WATCHES = 500

/** What people watch. */
export interface Watches {
  /** Watches of a user in spaces that they may read, oldest first. Those in spaces that they have left are deleted. */
  list(userId: string): Promise<Watch[]>
  /** Ids of all that a user watches, in spaces that they may not read too. */
  targetIds(userId: string): Promise<ReadonlySet<string>>
  /** Finds what can be watched; undefined when there is nothing. Its right is the caller's to check. */
  findTarget(kind: WatchKind, id: string): Promise<WatchTarget | undefined>
  /** Watches something; what is watched already stays as it is. Null when the user has MAX_WATCHES. */
  add(user: UserViewer, target: WatchTarget): Promise<Watch | null>
  /** Unwatches something; nothing happens when it is not watched. */
  remove(user: UserViewer, target: Pick<WatchTarget, 'kind' | 'targetId'>): Promise<void>
}

/**
 * Creates the port over the tables. What changes is told to the site, so that feeds and running subscriptions follow at
 * once; what could not be told is logged, and known once processes look anew (within a minute).
 */
export function createWatches({
  db,
  access,
  sets,
  publisher,
  logger,
  maxWatches = MAX_WATCHES,
}: {
  db: Db
  access: SpaceAccess
  sets: Pick<FeedSets, 'forget'>
  publisher: Pick<LivePublisher, 'publish'>
  logger: Logger
  maxWatches?: number
}): Watches {
  async function tell(userId: string): Promise<void> {
    const id = newId()
    try {
      await Promise.all([sets.forget(userId), publisher.publish('feed', [{ kind: 'watches', id, userId }])])
    } catch (error) {
      logger.error({ err: error }, 'events.watches_not_told')
    }
  }

  async function split(userId: string): Promise<{ readable: Watch[]; others: Watch[] }> {
    const watches = await listWatches(db, userId)
    const spaceIds = [...new Set(watches.map(({ spaceId }) => spaceId))]
    const roles = await Promise.all(spaceIds.map(async id => [id, await access.roleOf(userId, id)] as const))
    const read = new Set(roles.flatMap(([id, role]) => (role === null ? [] : [id])))
    const { readable = [], others = [] } = Object.groupBy(watches, ({ spaceId }) =>
      read.has(spaceId) ? 'readable' : 'others',
    )
    return { readable, others }
  }

  return {
    async list(userId) {
      const { readable, others } = await split(userId)
      if (others.length > 0) {
        const spaceIds = new Set(others.map(({ spaceId }) => spaceId))
        if (await deleteForeignWatches(db, userId, [...spaceIds])) await tell(userId)
      }
      return readable
    },
    async targetIds(userId) {
      return new Set((await listWatches(db, userId)).map(({ targetId }) => targetId))
    },
    async findTarget(kind, id) {
      if (!isUuidV7(id)) return undefined
      return kind === 'SPACE' ? { kind, targetId: id, spaceId: id } : findWatchTarget(db, kind, id)
    },
    async add({ userId }, target) {
      const id = newId()
      await insertWatch(db, userId, { ...target, id, since: new Date() }, maxWatches)
      const watch = await findWatch(db, userId, target.targetId)
      if (watch?.id === id) await tell(userId)
      return watch ?? null
    },
    async remove({ userId }, target) {
      // What is no id of ours is watched by nobody.
      if (isUuidV7(target.targetId) && (await deleteWatch(db, userId, target))) await tell(userId)
    },
  }
}
