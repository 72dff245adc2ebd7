import type { FeedNews } from '../../../schema/live-event.ts'
import type { DeviceDirectory } from '../../shared/device-directory.ts'
import { AppError } from '../../shared/errors.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import type { OutboxListener } from '../../shared/outbox-listener.ts'
import { targetIdsOf, toFeedNews } from './feed-news.ts'
import type { FeedAppend, FeedSets } from './feed-sets.ts'
import type { WatcherIndex } from './watcher-index.ts'

/** How often what is known of watches is looked up anew for one batch, while others change them. */
const MAX_ATTEMPTS = 20

/**
 * Creates the listener of ingest that keeps feeds: adds the keys of news to the set of each watcher, or once to that of a
 * target that many watch, and publishes the news on the site's topic `feed`.
 *
 * A batch is one round trip for the sets and one for the topic, however many watchers it has; SQL only for targets that
 * were not asked for since a watch has changed. Adding twice adds nothing.
 */
export function createFeedListener({
  sets,
  watchers,
  publisher,
  devices,
}: {
  sets: Pick<FeedSets, 'append'>
  watchers: WatcherIndex
  publisher: Pick<LivePublisher, 'publish'>
  /** Where devices stand that went offline. */
  devices: DeviceDirectory
}): OutboxListener {
  async function append(news: readonly FeedNews[]): Promise<void> {
    const byTarget = new Map<string, string[]>()
    for (const one of news) {
      for (const id of targetIdsOf(one)) {
        const keys = byTarget.get(id)
        if (keys === undefined) byTarget.set(id, [one.id])
        else keys.push(one.id)
      }
    }
    for (const keys of byTarget.values()) keys.sort()
    if (watchers.version === undefined) await watchers.renew()
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { version = '' } = watchers
      const appends = toAppends(byTarget, await watchers.watchersOf([...byTarget.keys()]))
      if (await sets.append(version, appends)) return
      await watchers.renew()
    }
    throw new AppError('UNAVAILABLE', 'Watches change faster than feeds can be written.')
  }

  return {
    name: 'feed',
    async deliver(events, { isRepeat }) {
      const offline = events.presence.filter(({ online }) => !online).map(({ deviceId }) => deviceId)
      const places = offline.length === 0 ? new Map() : await devices.placesOf([...new Set(offline)])
      const news = toFeedNews(events, places)
      if (news.length === 0) return
      // The sets first: who is told may look at once.
      await append(news)
      await publisher.publish('feed', news, { isRepeat })
    },
  }
}

function toAppends(
  byTarget: ReadonlyMap<string, readonly string[]>,
  watchers: ReadonlyMap<string, readonly string[] | 'wide'>,
): FeedAppend[] {
  return [...watchers].map(([targetId, userIds]) => {
    const keys = byTarget.get(targetId) ?? []
    return userIds === 'wide' ? { keys, wideTargetId: targetId } : { keys, userIds }
  })
}
