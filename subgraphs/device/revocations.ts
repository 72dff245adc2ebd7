import type { RevocationEvent } from '../../schema/live-event.ts'
import type { LivePublisher } from '../shared/live-topic/live-topics.ts'
import type { Logger } from '../shared/logger.ts'
import { flushRoles } from '../shared/permissions/rights-watch.ts'
import type { CachedSpaceAccess } from '../shared/permissions/space-access.ts'

/** Tells all processes of the site that rights have changed. */
export interface Revocations {
  /**
   * Publishes, after the commit of what it tells of; this process has forgotten the roles then. Never rejects: what could not be published is logged, and holds
   * anyway once caches and access tokens have come of age.
   */
  publish(...events: RevocationEvent[]): Promise<void>
}

/** Creates the port over the live topic of revocations. */
export function createRevocations({
  publisher,
  access,
  logger,
}: {
  publisher: LivePublisher
  access: Pick<CachedSpaceAccess, 'flush'>
  logger: Logger
}): Revocations {
  return {
    async publish(...events) {
      for (const event of events) flushRoles(access, event)
      try {
        await publisher.publish('revocation', events)
      } catch (error) {
        logger.error({ err: error, kinds: events.map(({ kind }) => kind) }, 'device.revocation_not_published')
      }
    },
  }
}
