import type { LogEvent } from '../../../schema/live-event.ts'
import type { LiveDelivery, LiveReader } from '../../../subgraphs/shared/live-topic/live-topics.ts'
import { makeLog } from './fanout-rows.ts'

/** Live topics of logs in the memory of this process: as a live reader's, but nothing can be resumed. */
export interface MemoryTopics extends Pick<LiveReader, 'subscribe'> {
  /** Publishes the next events of a space, at once. */
  publish(spaceId: string, count: number): void
}

type Delivery = LiveDelivery<'log'>
type Follower = (delivery: Delivery) => void

interface Topic {
  readonly followers: Set<Follower>
  published: number
}

/** Creates topics without events. */
export function createMemoryTopics(): MemoryTopics {
  const startedAt = Date.now()
  const topics = new Map<string, Topic>()

  function getTopic(spaceId: string): Topic {
    const known = topics.get(spaceId)
    if (known !== undefined) return known
    const topic = { followers: new Set<Follower>(), published: 0 }
    topics.set(spaceId, topic)
    return topic
  }

  return {
    publish(spaceId, count) {
      const topic = getTopic(spaceId)
      for (let i = 0; i < count; i++) {
        const event: LogEvent = makeLog(spaceId, topic.published)
        topic.published++
        const delivery = { event, cursor: `${startedAt}-${topic.published}.0` }
        for (const follower of topic.followers) follower(delivery)
      }
    },

    async subscribe(kind, spaceId) {
      if (kind !== 'log') throw new TypeError(`Expected a topic of logs, got one of ${kind}.`)
      const { followers, published } = getTopic(spaceId)
      return follow(followers, { event: null, cursor: `${startedAt}-${published}.0`, isGap: false }) as never
    },
  }
}

function follow(followers: Set<Follower>, begin: Delivery): AsyncIterableIterator<Delivery> {
  const queue: Delivery[] = [begin]
  let waiting: ((result: IteratorResult<Delivery>) => void) | undefined
  const take = (delivery: Delivery) => {
    if (waiting === undefined) queue.push(delivery)
    else waiting({ done: false, value: delivery })
    waiting = undefined
  }
  followers.add(take)
  return {
    next() {
      const delivery = queue.shift()
      if (delivery !== undefined) return Promise.resolve({ done: false, value: delivery })
      return new Promise(resolve => {
        waiting = resolve
      })
    },
    async return() {
      followers.delete(take)
      waiting?.({ done: true, value: undefined })
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
