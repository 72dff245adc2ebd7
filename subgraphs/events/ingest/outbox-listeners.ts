import type { Redis } from 'ioredis'
import { LIVE_LISTENER } from '../../../schema/redis-keys.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import type { OutboxListener } from '../../shared/outbox-listener.ts'
import { type LiveEvents, publishLiveEvents } from './live-events.ts'
import type { FollowingListener } from './outbox-follower.ts'

/** The publisher to the live topics, and those that the caller has named. Throws TypeError for bad names. */
export function listenersOf(options: {
  liveRedis: Redis
  livePublisher: LivePublisher
  listeners?: readonly OutboxListener[]
}): FollowingListener[] {
  const { listeners = [] } = options
  const names = [LIVE_LISTENER, ...listeners.map(({ name }) => name)]
  if (new Set(names).size < names.length || names.some(name => !/^[a-z][a-z-]*$/.test(name)))
    throw new TypeError(`Names of listeners are distinct, of a-z and dashes, not ${names.join(', ')}`)
  return [
    {
      name: LIVE_LISTENER,
      deliver: (events, { isRepeat }) => publishLiveEvents(options, events, isRepeat),
    },
    ...listeners.map(listener => ({
      name: listener.name,
      async deliver({ logs, anomalies, presence }: LiveEvents, { isRepeat }: { readonly isRepeat: boolean }) {
        if (logs.length + anomalies.length + presence.length === 0) return
        await listener.deliver({ logs, anomalies, presence }, { isRepeat })
      },
    })),
  ]
}
