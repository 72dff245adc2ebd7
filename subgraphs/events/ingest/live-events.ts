import type { Redis } from 'ioredis'
import type { ConnectivityItem, LogItem, PresenceItem, StateItem } from '../../../schema/ingest-entry.ts'
import type { LogEvent, PresenceEvent, StateEvent } from '../../../schema/live-event.ts'
import { withDeadline } from '../../shared/deadline.ts'
import type { DevicePlace } from '../../shared/device-directory.ts'
import type { LivePublisher } from '../../shared/live-topic/live-topics.ts'
import type { CommittedEvents } from '../../shared/outbox-listener.ts'
import { timeOfId } from '../../shared/uuid-v7.ts'
import { setLatestValues } from './latest-values.ts'

const LATEST_DEADLINE_MS = 5_000

/** What a batch has brought, in the order of the log. */
export interface LiveEvents extends CommittedEvents {
  /** Judged against the newest known when they are published. */
  readonly reports: readonly (StateItem | ConnectivityItem)[]
}

/**
 * Publishes to the live Redis: logs, changes of anomalies and presence as they are, of the reports those that are not older than known.
 * `isRepeat` says that some of it may have been published before.
 */
export async function publishLiveEvents(
  { liveRedis, livePublisher }: { liveRedis: Redis; livePublisher: LivePublisher },
  events: LiveEvents,
  isRepeat: boolean,
): Promise<void> {
  const options = { isRepeat }
  const publishReports = async () => {
    if (events.reports.length === 0) return
    const taken = await withDeadline('The newest values', LATEST_DEADLINE_MS, () =>
      setLatestValues(liveRedis, events.reports),
    )
    const states = taken.filter(item => item.kind === 'state').map(toStateEvent)
    await livePublisher.publish('state', states, options)
  }
  await Promise.all([
    livePublisher.publish('log', events.logs, options),
    livePublisher.publish('anomaly', events.anomalies, options),
    livePublisher.publish('presence', events.presence, options),
    publishReports(),
  ])
}

/** The event of a log that has just been written. */
export function toLogEvent(log: LogItem, place: DevicePlace | undefined): LogEvent {
  return {
    id: log.id,
    spaceId: log.spaceId,
    deviceId: log.deviceId,
    lineId: place?.lineId ?? null,
    processId: place?.processId ?? null,
    level: log.level,
    message: log.message,
    attributes: log.attributes ?? null,
    clockReplaced: log.clockReplaced,
    receivedAt: log.receivedAt,
  }
}

/** The event of a transition. */
export function toPresenceEvent({ id, deviceId, spaceId, online }: PresenceItem): PresenceEvent {
  return { id, deviceId, spaceId, online, at: timeOfId(id) }
}

function toStateEvent({ deviceId, spaceId, at, status, metrics }: StateItem): StateEvent {
  return { deviceId, spaceId, at, status, metrics: metrics ?? null }
}
