import type { AnomalyChange } from '../../schema/live-event.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'

/** Tells all processes of the site that people have changed anomalies. */
export interface AnomalyChanges {
  /**
   * Publishes changes, to be called after their commit. Never rejects: what could not be published is logged; those who
   * follow learn of it when they load anew.
   */
  publish(changes: readonly AnomalyChange[]): Promise<void>
}

/** Creates the port over the live topic `anomaly`. */
export function createAnomalyChanges({
  publisher,
  logger,
}: {
  publisher: LivePublisher
  logger: Logger
}): AnomalyChanges {
  return {
    async publish(changes) {
      try {
        await publisher.publish('anomaly', changes)
      } catch (error) {
        logger.error({ err: error, count: changes.length }, 'events.anomalies_not_published')
      }
    },
  }
}
