import type { PresenceItem } from '../../../schema/ingest-entry.ts'

/** What is known of a device's presence; a device that is not known is offline in generation 0. */
export interface KnownPresence {
  readonly generation: number
  readonly online: boolean
}

/** Which transitions are news, and where they leave their devices. */
export interface PresenceOutcome {
  /** Changes between online and offline, in order: one online and one offline event per episode. */
  readonly events: readonly PresenceItem[]
  /** By device id; only of devices whose generation or presence has changed. */
  readonly changed: ReadonlyMap<string, KnownPresence>
}

/**
 * Judges transitions in the order of the log. One of an older generation says nothing, and neither does a copy: within
 * a generation a device goes online once and offline once. A newer generation that finds the device as it is
 * (take-over) makes no event.
 */
export function judgePresence(
  items: readonly PresenceItem[],
  known: ReadonlyMap<string, KnownPresence>,
): PresenceOutcome {
  const changed = new Map<string, KnownPresence>()
  const events: PresenceItem[] = []
  for (const item of items) {
    const { deviceId, generation, online } = item
    const now = changed.get(deviceId) ?? known.get(deviceId) ?? { generation: 0, online: false }
    const endsItsOwn = generation === now.generation && now.online && !online
    if (generation <= now.generation && !endsItsOwn) continue
    changed.set(deviceId, { generation, online })
    if (online !== now.online) events.push(item)
  }
  return { events, changed }
}
