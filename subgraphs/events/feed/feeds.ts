import type { Redis } from 'ioredis'
import type { Connection, Page } from '../../shared/graphql/connection.ts'
import { readPage, toConnection } from '../../shared/graphql/connection.ts'
import type { LivePublisher, LiveReader, StreamStart } from '../../shared/live-topic/live-topics.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Db } from '../../shared/mysql/open-mysql.ts'
import type { SpaceAccess } from '../../shared/space-access.ts'
import { followFeed } from './feed-follower.ts'
import { type FeedItem, loadFeedItems } from './feed-item-repository.ts'
import { FEED_KINDS, type FeedKey, serializeFeedKey } from './feed-key.ts'
import { createFeedReader } from './feed-reader.ts'
import { createFeedSets } from './feed-sets.ts'
import { createWatches, type Watches } from './watches.ts'

const FEED_CURSOR = { kind: 'feed', parts: ['id', 'text', 'id'] } as const

/** A page of a feed. */
export type FeedPage = Page<typeof FEED_CURSOR.parts>

/** Feeds and watches of people, as a process serves them. */
export interface Feeds {
  readonly watches: Watches
  /**
   * Answers a page of a user's feed: a statement for their watches and one for each kind of item on the page, a round trip to
   * Redis, and the same for any size. Items that are gone from the tables are left out. Rejects with UNAVAILABLE.
   */
  page(userId: string, page: FeedPage): Promise<Connection<FeedItem['item']>>
  /** Follows what is new in a user's feed, as followFeed does. */
  follow<R extends object>(
    userId: string,
    start: StreamStart | undefined,
    toRootValue: (item: FeedItem['item']) => R,
  ): Promise<AsyncGenerator<R, undefined>>
}

/** Reads which page the arguments ask for; throws BAD_USER_INPUT as readPage does. */
export function readFeedPage(args: { first?: number | null; after?: string | null }): FeedPage {
  return readPage(args, { cursorShape: FEED_CURSOR })
}

/** Creates the feeds of a process. */
export function createFeeds({
  db,
  live,
  liveReader,
  livePublisher: publisher,
  access,
  logger,
}: {
  db: Db
  /** Where feeds are kept. */
  live: Redis
  liveReader: Pick<LiveReader, 'subscribe'>
  livePublisher: Pick<LivePublisher, 'publish'>
  access: SpaceAccess
  logger: Logger
}): Feeds {
  const sets = createFeedSets({ redis: live })
  const reader = createFeedReader({ db, sets })
  const watches = createWatches({ db, access, sets, publisher, logger })

  return {
    watches,
    async page(userId, page) {
      const watched = await watches.list(userId)
      const readable = new Set(watched.map(({ spaceId }) => spaceId))
      const keys = await reader.read(userId, watched, { after: keyOf(page), limit: page.size + 1 })
      const shown = keys.slice(0, page.size).filter(({ spaceId }) => readable.has(spaceId))
      const items = await loadFeedItems(db, shown)
      const { edges, pageInfo } = toConnection(keys, page, ({ id, kind, spaceId }) => [id, kind, spaceId])
      const found = edges.flatMap(({ cursor, node }) => {
        const item = items.get(serializeFeedKey(node))?.item
        return item === undefined ? [] : [{ cursor, node: item }]
      })
      return { edges: found, nodes: found.map(({ node }) => node), pageInfo }
    },
    follow(userId, start, toRootValue) {
      return followFeed({ liveReader, watches, access }, userId, start, toRootValue)
    },
  }
}

/** The key behind which a page begins; null for the first one. A kind that there is not begins behind all of that id. */
function keyOf({ key }: FeedPage): FeedKey | null {
  if (key === null) return null
  const [id, name, spaceId] = key
  const kind = FEED_KINDS.find(one => one === name)
  return { id, kind: kind ?? FEED_KINDS[1], spaceId }
}
