import { SITE_SCOPE } from '../../../schema/live-event.ts'
import { followTopic } from '../../shared/graphql/follow-topic.ts'
import type { LiveReader, StreamStart } from '../../shared/live-topic/live-topics.ts'
import type { SpaceAccess } from '../../shared/space-access.ts'
import type { FeedItem } from './feed-item-repository.ts'
import { targetIdsOf } from './feed-news.ts'
import type { Watches } from './watches.ts'

/**
 * Follows the news of a user's feed along the site's topic `feed`: yields what `toRootValue` makes of them, as followTopic
 * does. Watches are read when the first event comes, again after the user's own have changed, which the topic tells in
 * its order, and after a gap; the right to read is asked of `access` for each item.
 */
export async function followFeed<R extends object>(
  {
    liveReader,
    watches,
    access,
  }: { liveReader: Pick<LiveReader, 'subscribe'>; watches: Pick<Watches, 'targetIds'>; access: SpaceAccess },
  userId: string,
  start: StreamStart | undefined,
  toRootValue: (item: FeedItem['item']) => R,
): Promise<AsyncGenerator<R, undefined>> {
  let watched: ReadonlySet<string> | undefined
  const forget = () => {
    watched = undefined
    return undefined
  }
  return followTopic(
    liveReader,
    'feed',
    SITE_SCOPE,
    start,
    event => {
      if (event.kind === 'watches') return event.userId === userId ? forget() : undefined
      const { spaceId, item } = event
      const isWatched = (ids: ReadonlySet<string>) => targetIdsOf(event).some(id => ids.has(id))
      // Most are none of the user's, and cost no turn of the event loop.
      if (watched !== undefined && !isWatched(watched)) return undefined
      return (async () => {
        watched ??= await watches.targetIds(userId)
        if (!isWatched(watched)) return undefined
        return (await access.roleOf(userId, spaceId)) === null ? undefined : toRootValue(item)
      })()
    },
    forget,
  )
}
