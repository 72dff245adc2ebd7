import type { FeedNews } from '../../../schema/live-event.ts'
import type { DevicePlace } from '../../shared/device-directory.ts'
import type { CommittedEvents } from '../../shared/outbox-listener.ts'
import { serializeFeedKey } from './feed-key.ts'

/**
 * Picks what feeds show: anomalies that were raised, logs of level ERROR, and devices that went offline. The latter
 * are news of the line and process where the device stands now: `places` tells, by device id.
 */
export function toFeedNews(
  { logs, anomalies, presence }: CommittedEvents,
  places: ReadonlyMap<string, DevicePlace>,
): FeedNews[] {
  return [
    ...logs
      .filter(({ level }) => level === 'ERROR')
      .map(item => ({ kind: 'log' as const, ...describe('log', item), item })),
    ...anomalies
      .filter(({ change }) => change === 'RAISED')
      .map(({ anomaly: item }) => ({ kind: 'anomaly' as const, ...describe('anomaly', item), item })),
    ...presence
      .filter(({ online }) => !online)
      .map(item => {
        const { lineId = null, processId = null } = places.get(item.deviceId) ?? {}
        return { kind: 'presence' as const, ...describe('presence', { ...item, lineId, processId }), item }
      }),
  ]
}

/** Ids of what somebody may watch to be told of the news. */
export function targetIdsOf({ spaceId, deviceId, lineId, processId }: FeedNews): string[] {
  return [spaceId, deviceId, lineId, processId].filter(id => id !== null)
}

function describe(
  kind: FeedNews['kind'],
  {
    id,
    spaceId,
    deviceId,
    lineId,
    processId,
  }: Pick<FeedNews, 'id' | 'spaceId' | 'deviceId' | 'lineId' | 'processId'>,
) {
  return { id: serializeFeedKey({ kind, id, spaceId }), spaceId, deviceId, lineId, processId }
}
