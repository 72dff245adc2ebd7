import type { Logger } from '../shared/logger.ts'
import type { MediaPort } from '../shared/media-port.ts'
import { timeOfId } from '../shared/uuid-v7.ts'
import { type OverdueEnds, startOverdueEnds } from './overdue-ends.ts'

/**
 * Starts to end broadcasts, by their devices' ids, also when media is away for a while. Late it ends what began before it was
 * asked to: a device that has got another credential meanwhile may have begun anew.
 */
export function startBroadcastEnds({
  media,
  logger,
}: {
  media: Pick<MediaPort, 'findBroadcast' | 'closeBroadcast'>
  logger: Logger
}): OverdueEnds {
  return startOverdueEnds({
    what: 'broadcast',
    logger,
    async endOne(deviceId, askedAt, isAgain) {
      if (!isAgain) return media.closeBroadcast({ deviceId })
      const found = await media.findBroadcast({ deviceId })
      if (found === null || timeOfId(found.broadcastId) > askedAt) return
      await media.closeBroadcast({ deviceId, broadcastId: found.broadcastId })
    },
  })
}
