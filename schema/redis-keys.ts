import type { TopicKind } from './live-event.ts'

/**
 * Every key, stream and channel, with the instance it lives in and its life.
 * `ingest` is the instance of REDIS_INGEST_URL (every append on disk), `live` that of REDIS_URL (can be rebuilt).
 */
export const redisKeys = {
  /** ingest, stream, trimmed behind the writer and the publisher: one shard of the ingest log. */
  ingestLog: (shard: number) => `nuvion:ingest:${shard}`,
  /** ingest, stream, capped at about 100,000 entries: items that can never be written. */
  deadLetters: () => 'nuvion:dead-letters',
  /** ingest, string, for ever: up to where the shard's committed items have been published. */
  publishedPosition: (shard: number) => `nuvion:published:${shard}`,
  /** live, stream, capped at LIVE_TOPIC_MAX_ENTRIES: what is new of one kind in one space, or in SITE_SCOPE. */
  liveTopic: (kind: TopicKind, scope: string) => `nuvion:live:${kind}:${scope}`,
  /** live, string `<epochMs>|<json>`, for ever: the newest state of a device. */
  deviceState: (deviceId: string) => `nuvion:state:${deviceId}`,
  /** live, string `<epochMs>|<json>`, for ever: the newest connectivity of a device. */
  deviceConnectivity: (deviceId: string) => `nuvion:connectivity:${deviceId}`,
  /** live, string `<generation>|<1 online, 0 offline>|<lastSeenEpochMs>|<doorId>|<spaceId>`, for ever: presence of a device. */
  devicePresence: (deviceId: string) => `nuvion:presence:${deviceId}`,
  /** live, sorted set, device id by epoch ms of its deadline: devices online, taken out by the sweep. */
  presenceDeadlines: () => 'nuvion:presence-deadlines',
  /** live, hash, device id → its transitions, one a line, oldest first: on their way to the ingest log. */
  presencePending: () => 'nuvion:presence-pending',
  /** live, channel: messages for devices whose session a door holds. */
  doorMailbox: (doorId: string) => `nuvion:door:${doorId}`,
  /** live, counter, TTL of the gateway's window for points (2 s): points that a caller has taken at all gateways. */
  callerPoints: (caller: string) => `nuvion:points:${caller}`,
  /** live, counter, TTL of the gateway's window for sign-ins (5 min): failed ones from an IP address for a digest of an e-mail address. */
  failedSignIns: (ip: string, emailDigest: string) => `nuvion:failed-sign-ins:${ip}:${emailDigest}`,
  /** live, counter, TTL of the gateway's window for sign-ins (5 min): failed ones from an IP address. */
  failedSignInsOfIp: (ip: string) => `nuvion:failed-sign-ins:${ip}`,
} as const

/** Entries that a live topic keeps; an entry holds up to 100 events. */
export const LIVE_TOPIC_MAX_ENTRIES = 2_000
