import type { TopologyEvent } from '../../schema/live-event.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'
import type { TopologyCache } from './topology-cache.ts'

/** Tells all processes of the site that the topology has changed. */
export interface TopologyChanges {
  /**
   * Makes this process forget what the events touch, at once, and publishes them for the others. To be called after the
   * commit of what they tell of, and before it is answered, so that nobody reads what was before their own change.
   *
   * Never rejects: what could not be published is logged, and known everywhere once the caches have come of age.
   */
  publish(...events: TopologyEvent[]): Promise<void>
}

/** Creates the port over the cache of this process and the live topic of the others. */
export function createTopologyChanges({
  topology,
  publisher,
  logger,
}: {
  topology: Pick<TopologyCache, 'forget'>
  publisher: LivePublisher
  logger: Logger
}): TopologyChanges {
  return {
    async publish(...events) {
      for (const event of events) topology.forget(event)
      try {
        await publisher.publish('topology', events)
      } catch (error) {
        logger.error({ err: error, kinds: events.map(({ kind }) => kind) }, 'device.topology_not_published')
      }
    },
  }
}
