/** What Redis keeps of a device's presence. Times are epoch milliseconds. */
export interface PresenceValue {
  /** Number of the newest session, rising per device. */
  readonly generation: number
  readonly online: boolean
  /** The last life sign that reached Redis: about a second behind while the device is online, exact once offline. */
  readonly lastSeenAt: number
  /** The door that holds, or held, the newest session. */
  readonly doorId: string
  readonly spaceId: string
}

const PRESENCE_VALUE = /^(\d{1,16})\|([01])\|(\d{1,16})\|([^|]*)\|([^|]*)$/

/** Reads the string under redisKeys.devicePresence; null when the key is missing or holds something else. */
export function parsePresenceValue(text: string | null | undefined): PresenceValue | null {
  const [, generation, online, lastSeenAt, doorId, spaceId] = PRESENCE_VALUE.exec(text ?? '') ?? []
  if (doorId === undefined || spaceId === undefined) return null
  return {
    generation: Number(generation),
    online: online === '1',
    lastSeenAt: Number(lastSeenAt),
    doorId,
    spaceId,
  }
}

/** Writes the string that parsePresenceValue reads. */
export function serializePresenceValue(value: PresenceValue): string {
  const { generation, online, lastSeenAt, doorId, spaceId } = value
  return `${generation}|${online ? 1 : 0}|${lastSeenAt}|${doorId}|${spaceId}`
}
